import pg from 'pg';
import { GRAPHILE_SCHEMA } from './graphile-names.js';
import { servePeer } from './peer-messages.js';

const CHUNK = 500;
const client = new pg.Client({ connectionString: process.argv[2] as string });
await client.connect();

const addJobs = `
select count(*) from ${GRAPHILE_SCHEMA}.add_jobs(array(
  select json_populate_record(null::${GRAPHILE_SCHEMA}.job_spec, json_build_object('identifier', 'noop', 'payload', json_build_object('number', n)))
  from generate_series(1, $1::int) n))`;

servePeer(async ({ count }) => {
  for (let from = 0; from < count; from += CHUNK) await client.query(addJobs, [Math.min(CHUNK, count - from)]);
});
