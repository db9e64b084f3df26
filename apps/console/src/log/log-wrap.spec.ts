import { describe, expect, it } from 'vitest';
import { rowCount, WrapPlaces, wrapLine } from './log-wrap.js';

const line = (...texts: string[]) => texts.map((text, index) => ({ text, style: index % 2 === 0 ? {} : { bold: true } }));
const textsOf = (rows: ReturnType<typeof wrapLine>) => rows.map((row) => row.map(({ text }) => text).join(''));

describe('a wrapped line', () => {
  it('loses nothing, keeps its colours, and fills its rows', () => {
    const rows = wrapLine(line('abcd', 'efgh', 'ij'), 3);
    expect(textsOf(rows)).toEqual(['abc', 'def', 'ghi', 'j']);
    expect(rows[1]).toEqual([
      { text: 'd', style: {} },
      { text: 'ef', style: { bold: true } },
    ]);
  });

  it('counts Chinese characters and emoji as two columns and never cuts one', () => {
    expect(textsOf(wrapLine(line('调度完成a'), 5))).toEqual(['调度', '完成a']);
    expect(textsOf(wrapLine(line('a😀b'), 2))).toEqual(['a', '😀', 'b']);
  });

  it.each([
    ['', 5],
    ['abc', 5],
    ['abcde', 5],
    ['abcdef', 5],
    ['调度完成', 5],
    ['tab\there', 4],
  ])('has as many rows as are counted for %j', (text, columns) => {
    expect(rowCount(line(text), columns)).toBe(wrapLine(line(text), columns).length);
  });
});

describe('the places of wrapped lines', () => {
  it('are found from a row, also after lines were added and rewritten', () => {
    const lines = [line('abcdef'), line('x'), line('abcd')].map((segments) => ({ segments }));
    const places = new WrapPlaces(3);
    places.update(lines, 0);
    expect([0, 1, 2, 3, 4].map((row) => places.lineAt(row))).toEqual([0, 0, 1, 2, 2]);
    lines[2] = { segments: line('a') };
    lines.push({ segments: line('abcdefghi') });
    places.update(lines, 2);
    expect(places.rows).toBe(7);
    expect([places.startOf(3), places.lineAt(6)]).toEqual([4, 3]);
  });
});
