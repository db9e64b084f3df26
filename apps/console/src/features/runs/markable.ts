import type { RunView, TaskRunItem } from '@medley/contracts';
import { isTerminalTaskRunState } from '@medley/core';

/** An approval is decided by those it names, not marked. */
export function isOpenApproval({ reason }: Pick<TaskRunItem, 'reason'>): boolean {
  return reason?.code === 'waiting-for-approval';
}

/** Whether somebody may decide how a task ends. Of a run that is being cancelled only the final tasks go on, unless they were cancelled with it. */
export function isMarkable(
  item: Pick<TaskRunItem, 'state' | 'reason'>,
  { state, finalsCancelled }: Pick<RunView, 'state' | 'finalsCancelled'>,
  isFinal: boolean,
): boolean {
  const isStopped = state === 'cancelling' && (!isFinal || finalsCancelled);
  return !isTerminalTaskRunState(item.state) && !isStopped && !isOpenApproval(item);
}
