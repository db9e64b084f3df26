import type { DagTask, Reason, TaskRunItem } from '@medley/contracts';
import { elapsedBetween } from '../../format/duration.js';
import type { GraphTask } from '../../graph/graph-model.js';
import { graphOfDag } from '../workflows/workflow-graph.js';

type Describe = (milliseconds: number) => string;
type Headline = (reason: Pick<Reason, 'code'>) => string | null;

/** The version's tasks with the states of the run: node and duration or the reason in short in the second line, the whole reason on hover. */
export function graphOfRun(
  dag: readonly DagTask[],
  items: readonly TaskRunItem[],
  describe: Describe,
  headline: Headline,
  line: (reason: Reason) => string,
): GraphTask[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  return graphOfDag(dag).map((task) => {
    const item = byKey.get(task.key);
    if (item === undefined) return task;
    return {
      ...task,
      state: item.state,
      note: noteOf(item, describe, headline),
      hint: item.reason === null ? undefined : line(item.reason),
    };
  });
}

/** Only ended tasks show a duration: one that counted would redraw the graph each second. */
function noteOf(item: TaskRunItem, describe: Describe, headline: Headline): string | undefined {
  const parts = item.attempt === null ? [] : [item.attempt.node];
  if (item.child) parts.push(item.child.workflow);
  if (item.parts)
    parts.push(item.parts.atMost === null ? `${item.parts.ended} / ${item.parts.total}` : `${item.parts.total} / ${item.parts.atMost}`);
  const elapsed = item.finishedAt === null ? null : elapsedBetween(item.startedAt, item.finishedAt, 0);
  if (elapsed !== null) parts.push(describe(elapsed));
  if (parts.length > 0) return parts.join(' · ');
  const reason = item.keptFrom === null ? item.reason : { code: 'kept', text: '' };
  return reason === null ? undefined : (headline(reason) ?? reason.text);
}
