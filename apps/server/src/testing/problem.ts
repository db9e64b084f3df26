import type { Problem } from '@medley/contracts';
import { RestFailure } from '@medley/testing';

/** The problem that a call is refused with; fails when it is not refused. */
export async function problemFrom(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RestFailure) return error.body as Problem;
    throw error;
  }
  throw new Error('the call was expected to be refused');
}
