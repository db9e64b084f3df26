import { describe, expect, it } from 'vitest';
import { matches, placeOf, searchedText } from './palette-entry.js';

describe('the command palette', () => {
  it('finds titles by their words in any order', () => {
    expect(matches('Theme: dark', 'dark theme')).toBe(true);
    expect(matches('Theme: dark', 'light theme')).toBe(false);
    expect(matches('主题：深色', '深色')).toBe(true);
  });

  it('looks on the server for what comes after the verb', () => {
    expect(searchedText(' run nightly', ['Run', 'Cancel'])).toBe('nightly');
    expect(searchedText('running', ['Run', 'Cancel'])).toBe('running');
    expect(searchedText('run', ['Run'])).toBe('run');
  });

  it('leads each kind of thing to where it is shown', () => {
    const hit = { id: 'x', workflowId: 'w' };
    expect(placeOf({ kind: 'run', ...hit })).toEqual({ name: 'run', params: { runId: 'x' } });
    expect(placeOf({ kind: 'schedule', ...hit })).toEqual({ name: 'workflow', params: { workflowId: 'w' }, query: { tab: 'schedules' } });
    expect(placeOf({ kind: 'node', ...hit })).toEqual({ name: 'nodes', query: { node: 'x' } });
  });
});
