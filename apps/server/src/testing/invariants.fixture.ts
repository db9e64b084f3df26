import { expect } from 'vitest';
import type { Spine } from './spine.fixture.js';

/** What holds in every committed state, whatever happened before. */
export async function expectInvariants({ sql }: Spine): Promise<void> {
  expect(await sql.query(usageThatDiffers), 'counters equal the open reservations').toEqual([]);
  expect(await sql.query(overfull), 'no node holds more than it has').toEqual([]);
  expect(await sql.query(openTasksThatDiffer), 'open_tasks counts the unfinished task runs').toEqual([]);
  expect(await sql.query(doubled), 'a task run has one live attempt at most, the one of its fence').toEqual([]);
  expect(await sql.query(leaks), 'an attempt holds a reservation while it lives, a prefetched one from its claim on').toEqual([]);
  expect(
    await sql.query(pausedElsewhere),
    'in a paused run nothing is about to start, and nowhere else does anything wait for a resume',
  ).toEqual([]);
  expect(await sql.query(strayHolders), 'a limit is held by live attempts only').toEqual([]);
  expect(await sql.query(lookedAtForEver), 'what has ended is looked at no more').toEqual([]);
  expect(await sql.query(strayChildren), 'a run within another is open only while its task waits for it').toEqual([]);
  expect(await sql.query(unended), 'a run has ended when its last task run has').toEqual([]);
}

const usageThatDiffers = `
select u.node_id from node_usage u left join reservations r on r.node_id = u.node_id and r.state <> 'released' group by u.node_id
having u.cpu_millis <> coalesce(sum(r.cpu_millis), 0) or u.memory_mib <> coalesce(sum(r.memory_mib), 0) or u.disk_mib <> coalesce(sum(r.disk_mib), 0)
  or u.gpu_count <> coalesce(sum(r.gpu_count), 0) or u.attempts <> count(r.attempt_id)`;

const overfull = `
select n.name from nodes n join node_usage u on u.node_id = n.id
where u.cpu_millis > n.cpu_millis or u.memory_mib > n.memory_mib or u.disk_mib > n.disk_mib or u.gpu_count > n.gpu_count or u.attempts > n.max_attempts`;

const openTasksThatDiffer = `
select r.id, r.open_tasks, count(t.id) as unfinished from runs r left join task_runs t on t.run_id = r.id and t.finished_at is null
group by r.id having r.open_tasks <> count(t.id)`;

const doubled = `
select t.task_key, t.state, count(*) from task_runs t join attempts a on a.task_run_id = t.id and a.finished_at is null
group by t.id having count(*) > 1 or max(a.fence) <> t.fence or t.state not in ('dispatched', 'running')`;

const leaks = `
select a.id, a.state, a.prefetched, r.state as reservation from attempts a left join reservations r on r.attempt_id = a.id
where (r.attempt_id is not null and r.state <> 'released') <> (a.finished_at is null and not (a.prefetched and a.state = 'dispatched'))`;

const strayHolders = `
select h.attempt_id from limit_holders h left join attempts a on a.id = h.attempt_id where h.freed_at is null and (a.id is null or a.finished_at is not null)`;

const lookedAtForEver = `select id, state from task_runs where finished_at is not null and next_look_at is not null`;

const unended = `select id from runs where open_tasks = 0 and finished_at is null or open_tasks > 0 and finished_at is not null`;

const pausedElsewhere = `
select t.id, t.state, r.state as run from task_runs t join runs r on r.id = t.run_id
where t.state = 'paused' and r.state <> 'paused' or r.state = 'paused' and t.state in ('ready', 'blocked', 'dispatched', 'retry-wait')
  and not (t.state = 'blocked' and t.pool_id is null)`;

const strayChildren = `
select c.id, t.state from runs c left join task_runs t on t.id = c.parent_task_run_id
where c.parent_task_run_id is not null and c.finished_at is null and (t.state is distinct from 'running' or t.child_run_id <> c.id)`;
