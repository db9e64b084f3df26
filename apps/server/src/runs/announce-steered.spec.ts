import { describe, expect, it } from 'vitest';
import { WakeBus } from '../wake/wake-bus.js';
import { announceSteered } from './announce-steered.js';

describe('a run that was steered', () => {
  it('wakes what may wait for its end: fires, backfills, runs of its key and the tasks of its parent', () => {
    const bus = new WakeBus();
    const topics: string[] = [];
    bus.heard.subscribe(({ topic }) => topics.push(topic));
    announceSteered(bus, 'run', { projectId: 'project', nodeIds: ['node'], attemptIds: [] });
    expect(topics).toEqual(expect.arrayContaining(['fire', 'backfill', 'admit', 'unplaced', 'place', 'work']));
  });
});
