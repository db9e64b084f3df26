import { type Cluster, coresOn } from './bounds.js';
import type { RecordedTask } from './wf-instance.js';

/** A recorded task under the key it has in the replayed workflow. */
export interface ReplayTask {
  key: string;
  /** Recorded seconds times scale: how long it sleeps at speed 1. */
  seconds: number;
  cores: number;
  parents: string[];
}

/** Sleeps are written with this many decimals. */
const DECIMALS = 4;

/** Gives each task a key that a workflow file allows, scales its runtime and cuts its cores to a node's slots. */
export function replayTasks(tasks: readonly RecordedTask[], cluster: Cluster, scale: number): ReplayTask[] {
  const keys = taskKeys(tasks.map((task) => task.id));
  return tasks.map((task) => ({
    key: keys.get(task.id) as string,
    seconds: task.seconds * scale,
    cores: coresOn(task, cluster),
    parents: task.parents.map((parent) => keys.get(parent) as string),
  }));
}

/** Seconds that the script of this task sleeps on a node of this speed. */
export function sleepSeconds(task: ReplayTask, speed: number): number {
  return Number((task.seconds / speed).toFixed(DECIMALS));
}

/** The workflow document. One slot is `slotMillis` of a core, since nodes may have to share a machine with fewer cores than they have slots. */
export function replayDocument(
  name: string,
  tasks: readonly ReplayTask[],
  speeds: readonly number[],
  slotMillis: number,
): Record<string, unknown> {
  const entries = tasks.map((task) => [
    task.key,
    {
      run: scriptOf(task, speeds),
      resources: { cpu: (task.cores * slotMillis) / 1000 },
      ...(task.parents.length === 0 ? {} : { needs: task.parents }),
    },
  ]);
  return { medley: 1, project: 'default', workflow: name, tasks: Object.fromEntries(entries) };
}

/** The script says its key once and sleeps. The sleep of each speed stands in it, so that nothing has to compute with fractions on the node. */
function scriptOf(task: ReplayTask, speeds: readonly number[]): string {
  const sleeps = [...new Set(speeds)].map((speed) => ({ speed, seconds: sleepSeconds(task, speed) }));
  const lines = [`echo ${task.key}`];
  if (sleeps.some(({ seconds }) => seconds > 0)) {
    const cases = sleeps.map(({ speed, seconds }) => `${speed}) exec sleep ${seconds.toFixed(DECIMALS)} ;;`);
    lines.push('case $MEDLEY_SPEED in', ...cases, '*) echo "unexpected speed $MEDLEY_SPEED" >&2; exit 64 ;;', 'esac');
  }
  return `${lines.join('\n')}\n`;
}

const MAX_KEY = 100;

/** Ids with dots or other characters that keys cannot have; different ids never share a key. */
function taskKeys(ids: readonly string[]): Map<string, string> {
  const used = new Set<string>();
  return new Map(
    ids.map((id) => {
      const cleaned = id.replace(/[^A-Za-z0-9_-]/g, '_');
      const base = (/^[A-Za-z]/.test(cleaned) ? cleaned : `t${cleaned}`).slice(0, MAX_KEY);
      let key = base;
      for (let count = 2; used.has(key); count += 1) key = `${base.slice(0, MAX_KEY - 1 - String(count).length)}_${count}`;
      used.add(key);
      return [id, key];
    }),
  );
}

/** A workflow name out of a recorded one. */
export function workflowName(name: string): string {
  const cleaned = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return `replay-${cleaned}`.slice(0, 63).replace(/-+$/, '');
}
