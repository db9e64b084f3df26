/**
 * Whether an audited call has cancelled its run `r`. The outcome of one is written after its answer, and never if the server is killed in between: then the state of the run
 * tells.
 */
export const hasCancelled = (event: string): string =>
  `${event}.action = 'cancelRun' and (${event}.outcome = 'succeeded' or (${event}.outcome = 'unknown' and r.state in ('cancelling', 'cancelled')))`;

/** The name of who cancelled the run `r` first, as a column. */
export const cancelledBy = `(select e.actor_name from audit_events e where r.state in ('cancelling', 'cancelled') and e.entity_id = r.id and ${hasCancelled('e')}
  order by e.id limit 1) as "cancelledBy"`;
