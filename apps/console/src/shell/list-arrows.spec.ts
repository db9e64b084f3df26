// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { moveInList } from './list-arrows.js';

const focused = () => document.activeElement?.id;

describe('arrows in a list', () => {
  beforeEach(() => {
    document.body.innerHTML = `<main><span class="search-field"><input id="search"></span><table class="data-table"><tbody>
      <tr><td><input type="checkbox" id="box"></td><td><a href="/1" id="first">1</a></td></tr><tr><td><input type="number" id="figure"></td></tr><tr><td><a href="/3" id="third">3</a></td></tr>
      </tbody></table></main>`;
  });

  it('go from row to row, over rows that open nothing, and stop at the ends', () => {
    expect(moveInList('ArrowDown', document.querySelector('#box')!)).toBe(true);
    expect(focused()).toBe('third');
    expect(moveInList('ArrowDown', document.querySelector('#third')!)).toBe(false);
    expect(moveInList('ArrowUp', document.querySelector('#third')!)).toBe(true);
    expect(focused()).toBe('first');
  });

  it('go into the list from the search, and leave everything else alone', () => {
    expect(moveInList('ArrowDown', document.body)).toBe(false);
    expect(moveInList('ArrowUp', document.querySelector('#search')!)).toBe(false);
    expect(moveInList('ArrowDown', document.querySelector('#figure')!)).toBe(false);
    expect(moveInList('Enter', document.querySelector('#first')!)).toBe(false);
    expect(moveInList('ArrowDown', document.querySelector('#search')!)).toBe(true);
    expect(focused()).toBe('first');
  });
});
