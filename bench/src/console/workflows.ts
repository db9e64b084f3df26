const LAYER = 50;

/** A workflow of so many tasks in layers of fifty: each task of a layer needs two of the layer before. */
export function layeredWorkflow(count: number): Record<string, unknown> {
  const tasks = Array.from({ length: count }, (_, index) => {
    const column = index % LAYER;
    const above = index - column - LAYER;
    const needs = above < 0 ? [] : [nameOf(above + column), nameOf(above + ((column * 7 + 3) % LAYER))];
    return [nameOf(index), needs.length === 0 ? { kind: 'noop' } : { kind: 'noop', needs: [...new Set(needs)] }];
  });
  return { medley: 1, project: 'default', workflow: `layers-${count}`, tasks: Object.fromEntries(tasks) };
}

function nameOf(index: number): string {
  return `step-${Math.floor(index / LAYER)}-${index % LAYER}`;
}

/** Prints so many lines at once, then `perSecond` more every second for so many seconds; the last line says that it is the last. */
export function talkativeWorkflow(lines: number, perSecond: number, seconds: number): Record<string, unknown> {
  const script = `
const line = (n) => 'line ' + n + ' \\u001b[32mread\\u001b[0m part-' + (n % 977) + ' of the orders table';
let printed = 0;
const print = (count) => {
  let text = '';
  for (let at = 0; at < count; at += 1) text += line(++printed) + '\\n';
  process.stdout.write(text);
};
print(${lines});
const end = printed + ${perSecond * seconds};
const timer = setInterval(() => {
  if (printed >= end) {
    clearInterval(timer);
    console.log('the last line');
  } else print(${Math.round(perSecond / 10)});
}, 100);
`;
  return {
    medley: 1,
    project: 'default',
    workflow: `talks-${lines}-${seconds}`,
    tasks: { talk: { node: script, resources: { cpu: 0.1 } } },
  };
}

/** A workflow that begins and then waits for a node, since the pool of its second task has none. */
export function waitingWorkflow(pool: string): Record<string, unknown> {
  return {
    medley: 1,
    project: 'default',
    workflow: 'waits',
    tasks: { first: { kind: 'noop' }, second: { kind: 'noop', needs: ['first'], pool } },
  };
}
