/**
 * A past made of what really ran: each ended run is copied again and again into the last ten days, tasks and attempts included, with times that vary; fewer at night and
 * on week-ends. `later` maps an id and a number to an id of an earlier instant, so that ids still grow with time.
 */
const statements = [
  `create temp table copies as
   select r.id as run_id, n, gen_random_uuid() as salt, 0.6 + random() * 1.6 as stretch, now() - interval '10 days' * power(random(), 2.5) as at
   from runs r, generate_series(1, 160) n where r.finished_at is not null and r.started_at is not null and r.task_count < 100`,
  `delete from copies where (extract(hour from at) between 1 and 5 and n % 3 <> 0) or (extract(isodow from at) > 5 and n % 2 = 0)`,
  `delete from copies c using runs r where r.id = c.run_id and r.state = 'failed' and n % 5 <> 0`,
  `create function pg_temp.id_at(at timestamptz, salt text) returns uuid language sql as $$
   select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(salt), 1, 3) || '8' || substr(md5(salt), 4, 15))::uuid $$`,
  `create function pg_temp.moved(t timestamptz, base timestamptz, at timestamptz, stretch float8) returns timestamptz language sql as $$ select at + (t - base) * stretch $$`,
  `create temp table new_runs as select c.*, r.created_at as base, pg_temp.id_at(c.at, c.salt::text) as new_id from copies c join runs r on r.id = c.run_id`,
  `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, parameters, created_by, task_count, open_tasks, created_at, started_at, finished_at)
   select c.new_id, r.project_id, r.workflow_id, r.workflow_version, r.state, r.trigger, r.schedule_id, case when r.fire_at is not null then date_trunc('minute', c.at) end,
     r.parameters, r.created_by, r.task_count, 0, c.at, pg_temp.moved(r.started_at, c.base, c.at, c.stretch), pg_temp.moved(r.finished_at, c.base, c.at, c.stretch)
   from new_runs c join runs r on r.id = c.run_id on conflict do nothing`,
  `create temp table new_tasks as
   select t.*, c.new_id as new_run_id, c.at, c.base, c.stretch, pg_temp.id_at(c.at, c.salt::text || t.id) as new_id from new_runs c join task_runs t on t.run_id = c.run_id
   where exists (select from runs r where r.id = c.new_id)`,
  `insert into task_runs (id, run_id, task_key, position, state, fence, pool_id, shape_hash, reason, tries, ready_at, started_at, finished_at)
   select new_id, new_run_id, task_key, position, state, fence, pool_id, shape_hash, reason, tries, pg_temp.moved(ready_at, base, at, stretch),
     pg_temp.moved(started_at, base, at, stretch), pg_temp.moved(finished_at, base, at, stretch) from new_tasks`,
  `insert into attempts (id, task_run_id, run_id, node_id, fence, state, dispatched_at, claimed_at, started_at, finished_at, exit_code, detail)
   select pg_temp.id_at(t.at, t.new_id::text || a.id), t.new_id, t.new_run_id, a.node_id, a.fence, a.state, pg_temp.moved(a.dispatched_at, t.base, t.at, t.stretch),
     pg_temp.moved(a.claimed_at, t.base, t.at, t.stretch), pg_temp.moved(a.started_at, t.base, t.at, t.stretch), pg_temp.moved(a.finished_at, t.base, t.at, t.stretch), a.exit_code, a.detail
   from new_tasks t join attempts a on a.task_run_id = t.id`,
  `insert into node_samples (at, node_id, cpu_percent, reserved_percent)
   select at, n.id, greatest(2, 35 + 25 * sin(extract(epoch from at) / 6000 + length(n.name)) + 12 * random()), greatest(0, 30 + 25 * sin(extract(epoch from at) / 6000 + length(n.name)))
   from nodes n, generate_series(date_trunc('minute', now()) - interval '1 day', now() - interval '2 minutes', interval '1 minute') at on conflict do nothing`,
  `analyze runs`,
];

/** Writes it; the clients of the server see it at their next question. */
export async function writePast(database) {
  for (const statement of statements) await database.query(statement);
}
