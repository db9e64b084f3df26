import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aNode, aRequest, aTurn } from '../fixtures/turn.fixture.js';
import type { PlacementRequest } from '../placement-request.js';
import { placeTurn } from '../turn/place-turn.js';
import type { LimitSnapshot } from './limit-snapshot.js';

const limitIds = ['a', 'b', 'c'];
const takes = fc.dictionary(fc.constantFrom(...limitIds), fc.integer({ min: 1, max: 3 }), { maxKeys: 3 }).map((slots) =>
  Object.entries(slots)
    .sort()
    .map(([limit, count]) => ({ limit, slots: count })),
);
const tasks = fc.array(fc.record({ takes, priority: fc.nat(3), pool: fc.nat(1) }), { maxLength: 20 });
const capacities = fc.tuple(...limitIds.map(() => fc.integer({ min: 1, max: 4 })));

/** Two pools that place in turns over the same limits, each from a snapshot taken under the limits' locks; attempts end in between, in any order. */
class World {
  nowMs = 0;
  readonly held = new Map<string, PlacementRequest>();
  readonly waiting = new Map<string, { request: PlacementRequest; pool: number }>();
  readonly started: string[] = [];

  constructor(private readonly slots: Record<string, number>) {}

  arrive(id: string, changes: Partial<PlacementRequest>, pool: number): void {
    this.waiting.set(id, { request: aRequest(id, { readyAtMs: this.nowMs, ...changes }), pool });
  }

  taken(limit: string): number {
    return [...this.held.values()]
      .flatMap((each) => each.takes ?? [])
      .reduce((sum, take) => sum + (take.limit === limit ? take.slots : 0), 0);
  }

  place(pool: number): void {
    const requests = [...this.waiting.values()].filter((each) => each.pool === pool).map(({ request }) => request);
    const input = aTurn({
      nodes: [aNode('n')],
      requests,
      limits: limitIds.map((id) => this.limit(id, pool)),
      nowMs: this.nowMs,
      ageingSeconds: 60,
    });
    const result = placeTurn(input);
    expect(placeTurn(JSON.parse(JSON.stringify(input)))).toEqual(result);
    for (const { taskRunId } of result.placements) {
      this.held.set(taskRunId, this.waiting.get(taskRunId)!.request);
      this.waiting.delete(taskRunId);
      this.started.push(taskRunId);
    }
    for (const id of limitIds) expect(this.taken(id)).toBeLessThanOrEqual(this.slots[id]!);
  }

  end(which: number): void {
    const ids = [...this.held.keys()];
    if (ids.length > 0) this.held.delete(ids[which % ids.length]!);
  }

  private limit(id: string, pool: number): LimitSnapshot {
    const elsewhere = [...this.waiting.values()]
      .filter((each) => each.pool !== pool && this.nowMs - each.request.readyAtMs > 60_000)
      .flatMap(({ request }) =>
        (request.takes ?? []).filter((take) => take.limit === id && take.slots <= this.slots[id]!).map(({ slots }) => ({ slots, request })),
      )
      .sort((left, right) => left.request.readyAtMs - right.request.readyAtMs)[0];
    const awaited = elsewhere && { slots: elsewhere.slots, priority: elsewhere.request.priority, readyAtMs: elsewhere.request.readyAtMs };
    const base = { id, kind: 'limit' as const, name: id, slots: this.slots[id]!, taken: this.taken(id), holders: [], holderCount: 0 };
    return awaited ? { ...base, awaited } : base;
  }
}

const worldOf = (capacity: readonly number[]) => new World(Object.fromEntries(limitIds.map((id, index) => [id, capacity[index]!])));

describe('limits under any interleaving of placing and ending', () => {
  it('are never held beyond their slots, and everything that can ever start does', () => {
    const steps = fc.array(
      fc.oneof(
        fc.nat(1).map((pool) => ({ pool })),
        fc.nat(20).map((end) => ({ end })),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(capacities, tasks, steps, (capacity, arriving, order) => {
        const world = worldOf(capacity);
        for (const [index, task] of arriving.entries()) world.arrive(`t${String(index).padStart(2, '0')}`, task, task.pool);
        for (const step of order) 'pool' in step ? world.place(step.pool) : world.end(step.end);
        for (let round = 0; round < 60 && world.waiting.size > 0; round++) {
          world.place(round % 2);
          world.end(round);
        }
        const possible = (request: PlacementRequest) =>
          (request.takes ?? []).every(({ limit, slots }) => slots <= capacity[limitIds.indexOf(limit)]!);
        expect([...world.waiting.values()].filter(({ request }) => possible(request))).toEqual([]);
      }),
    );
  });

  it('let a task of the lowest priority start in the face of an endless stream of urgent ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }), (priority, slots) => {
        const world = worldOf([3, 1, 1]);
        world.arrive('low', { takes: [{ limit: 'a', slots }] }, 0);
        for (let minute = 0; minute <= priority + 10 && world.waiting.has('low'); minute++) {
          // Always more urgent ones than there is room for, in both pools.
          for (let each = 0; each < 6; each++)
            world.arrive(`high-${minute}-${each}`, { priority, takes: [{ limit: 'a', slots: 1 }] }, each % 2);
          for (let step = 0; step < 3; step++) {
            world.end(step);
            world.place(minute % 2);
            world.place((minute + 1) % 2);
          }
          world.nowMs += 60_000;
        }
        expect(world.started).toContain('low');
      }),
      { numRuns: 30 },
    );
  });
});
