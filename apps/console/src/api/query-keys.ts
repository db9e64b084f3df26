/** The first words of every cached answer. Live updates name the same words, so they are written down once. */
export const queryKeys = {
  me: ['me'] as const,
  overview: ['overview'] as const,
  projects: ['projects'] as const,
  workflows: ['workflows'] as const,
  workflow: (id: string) => ['workflow', id] as const,
  runs: ['runs'] as const,
  run: (id: string) => ['run', id] as const,
  taskRuns: ['task-run'] as const,
  taskRun: (id: string) => ['task-run', id] as const,
  attempt: (id: string) => ['attempt', id] as const,
  schedules: ['schedules'] as const,
  backfills: ['backfills'] as const,
  nodes: ['nodes'] as const,
  node: (id: string) => ['node', id] as const,
  pools: ['pools'] as const,
  placements: ['placements'] as const,
  distribution: ['distribution'] as const,
  tokens: ['tokens'] as const,
  users: ['users'] as const,
  groups: ['groups'] as const,
  members: ['members'] as const,
  sessions: ['sessions'] as const,
  audit: ['audit'] as const,
  joinTokens: ['join-tokens'] as const,
};

export type QueryKey = readonly string[];
