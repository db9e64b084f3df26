import { z } from 'zod';

/** A look for a file that a task waits for. Its answer counts while `look` is the newest of the watch. */
export const fileLookSchema = z.object({ watchId: z.uuid(), look: z.number().int().positive(), path: z.string().max(4096) });
export type FileLook = z.infer<typeof fileLookSchema>;

/** `not-allowed`: no directory of the agent's list holds the path, or a symbolic link leads out of all of them. `failed`: a code such as EACCES. */
export const fileLookResultSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('there'), sizeBytes: z.number().nonnegative(), modifiedAt: z.iso.datetime() }),
  z.object({ outcome: z.literal('absent') }),
  z.object({ outcome: z.literal('not-allowed') }),
  z.object({ outcome: z.literal('timeout'), seconds: z.number() }),
  z.object({ outcome: z.literal('failed'), fault: z.string().max(200) }),
]);
export type FileLookResult = z.infer<typeof fileLookResultSchema>;

export const fileLookAnswerSchema = z.object({ watchId: z.uuid(), look: z.number().int().positive(), result: fileLookResultSchema });
export type FileLookAnswer = z.infer<typeof fileLookAnswerSchema>;

/** A heartbeat is answered with at most so many looks, the oldest first; each is in every answer until it is answered. */
export const maxFileLooks = 50;

/** POST looks — what an agent found. */
export const fileLooksRequestSchema = z.object({ answers: z.array(fileLookAnswerSchema).max(maxFileLooks) });
export type FileLooksRequest = z.infer<typeof fileLooksRequestSchema>;
export const fileLooksAnswerSchema = z.object({});
export type FileLooksAnswer = z.infer<typeof fileLooksAnswerSchema>;
