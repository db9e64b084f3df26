/** Something a client may be showing has changed; it fetches again. Carries no data. */
export interface ChangeEvent {
  entity: 'run' | 'task-run' | 'attempt' | 'log' | 'node' | 'schedule' | 'workflow' | 'pool' | 'backfill';
  id: string;
  projectId?: string;
  runId?: string;
}
