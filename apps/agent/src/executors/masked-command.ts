import { fileURLToPath } from 'node:url';
import type { AttemptWork } from '@medley/contracts';
import type { Command } from './executor.js';

const RUN_MASKED = fileURLToPath(new URL('./run-masked.js', import.meta.url));
/** What the masking process takes beside the task; it must not go off the memory that the task has reserved. */
const MASKING_MIB = 96;

/** A command whose task has secrets runs behind a process that masks them; one that reads its input is our own and does so itself. */
export function maskedCommand(work: AttemptWork, command: Command, directory: string): Command {
  if (!work.secrets?.length || command.stdin !== null) return command;
  return { ...command, argv: [process.execPath, RUN_MASKED, directory, ...command.argv], stdin: JSON.stringify(work.secrets) };
}

/** The memory limit of an attempt's processes together; 0 for none. */
export function memoryLimitMib({ secrets, resources }: AttemptWork): number {
  return resources.memoryMib + (secrets?.length && resources.memoryMib > 0 ? MASKING_MIB : 0);
}
