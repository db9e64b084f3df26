import { describe, expect, it } from 'vitest';
import type { ChangeEvent } from './change-event.js';
import { type Wake, WakeBus } from './wake-bus.js';

function listenedBus() {
  const bus = new WakeBus();
  const heard: Wake[] = [];
  const changes: (readonly ChangeEvent[])[] = [];
  const sent: { wakes: readonly Wake[]; changes: readonly ChangeEvent[] }[] = [];
  bus.heard.subscribe((wake) => heard.push(wake));
  bus.changes.subscribe((events) => changes.push(events));
  bus.connect({ send: (wakes, events) => sent.push({ wakes, changes: events }) });
  return { bus, heard, changes, sent };
}

describe('WakeBus', () => {
  it('wakes this process at once and hands each wake-up to the other servers', () => {
    const { bus, heard, sent } = listenedBus();
    bus.place();
    bus.fire();
    bus.retry();
    bus.work('n');
    const all = [{ topic: 'place' }, { topic: 'fire' }, { topic: 'retry' }, { topic: 'work', nodeId: 'n' }];
    expect(heard).toEqual(all);
    expect(sent.flatMap(({ wakes }) => wakes)).toEqual(all);
  });

  it('does not send on what it heard from another server', () => {
    const { bus, heard, changes, sent } = listenedBus();
    bus.hear([{ topic: 'place' }], [{ entity: 'run', id: 'r' }]);
    expect(heard).toEqual([{ topic: 'place' }]);
    expect(changes).toEqual([[{ entity: 'run', id: 'r' }]]);
    expect(sent).toEqual([]);
  });

  it('is silent about an empty change', () => {
    const { bus, changes, sent } = listenedBus();
    bus.changed([]);
    bus.hear([], []);
    expect(changes).toEqual([]);
    expect(sent).toEqual([]);
  });
});
