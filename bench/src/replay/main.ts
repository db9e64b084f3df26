import { availableParallelism } from 'node:os';
import { printResult, progress } from '../output/print.js';
import { applyWorkflow, runToEnd } from '../stack/run-workflow.js';
import { startNodes, usePolicy } from '../stack/start-nodes.js';
import { main, withStack } from '../stack/with-stack.js';
import { type Cluster, lowerBoundSeconds, scaleFor } from './bounds.js';
import { findViolations } from './check-run.js';
import { parseReplayOptions, type ReplayOptions, usage } from './replay-options.js';
import { resultOf, tableOf } from './replay-result.js';
import { type ReplayTask, replayDocument, replayTasks, workflowName } from './replay-workflow.js';
import { type RunRecord, readRun } from './run-record.js';
import { type RecordedWorkflow, readInstance } from './wf-instance.js';

const SHOWN_VIOLATIONS = 20;

/** All nodes share this machine; a slot is a whole core only where a node has as many. Tasks only sleep, so shares of a core do as well. */
function slotMillisOf(slotsPerNode: number): number {
  return Math.min(1000, Math.floor((availableParallelism() * 1000) / slotsPerNode));
}

async function replay(options: ReplayOptions, recorded: RecordedWorkflow, tasks: readonly ReplayTask[]): Promise<RunRecord> {
  const slotMillis = slotMillisOf(options.slotsPerNode);
  return withStack({ servers: 1 }, async (stack) => {
    await usePolicy(stack, options.policy);
    const nodes = options.speeds.map((declaredSpeed, index) => ({
      name: `node-${index + 1}`,
      declaredSpeed,
      cpuMillis: slotMillis * options.slotsPerNode,
    }));
    progress(`starting ${nodes.length} agents`);
    await startNodes(stack, nodes);
    const workflowId = await applyWorkflow(stack, replayDocument(workflowName(recorded.name), tasks, options.speeds, slotMillis));
    const timeoutMs = (options.targetSeconds * 10 + 120) * 1000;
    for (let count = 1; count <= options.rehearsals; count += 1) {
      progress(`rehearsal ${count} of ${options.rehearsals}`);
      await runToEnd(stack, workflowId, timeoutMs);
    }
    progress(`running ${tasks.length} tasks`);
    return readRun(stack.databaseUrl, await runToEnd(stack, workflowId, timeoutMs));
  });
}

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const options = parseReplayOptions(args);
  const recorded = readInstance(options.file);
  const cluster: Cluster = { speeds: options.speeds, slotsPerNode: options.slotsPerNode };
  const scale = scaleFor(recorded.tasks, cluster, options.targetSeconds);
  const tasks = replayTasks(recorded.tasks, cluster, scale);
  const run = await replay(options, recorded, tasks);
  const violations = findViolations(tasks, run);
  const facts = {
    edges: recorded.edges,
    oneSidedEdges: recorded.oneSidedEdges,
    lowerBoundSeconds: lowerBoundSeconds(recorded.tasks, cluster) * scale,
    policy: JSON.stringify(options.policy),
  };
  const result = resultOf(tasks, run, violations, facts);
  if (!options.json) process.stdout.write(`${tableOf(tasks, run, result, facts)}\n`);
  for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) progress(`violation: ${violation}`);
  printResult({ ...result });
  return violations.length === 0 ? 0 : 1;
});
