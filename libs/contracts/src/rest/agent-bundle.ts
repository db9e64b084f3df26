import { z } from 'zod';

/** Where servers hand out the packed agent: one file that needs nothing but Node; open, since a machine that joins has no credential yet. */
export const AGENT_BUNDLE_PATH = '/agent/medley-agent.mjs';

/** What a machine can check its download by. */
export const agentBundleSchema = z
  .object({ path: z.string(), sha256: z.string().length(64), bytes: z.number().int() })
  .meta({ id: 'AgentBundle' });
export type AgentBundle = z.infer<typeof agentBundleSchema>;
