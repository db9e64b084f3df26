import type { Stack } from '@medley/testing';
import { formatTable, printResult, progress, rounded } from '../output/print.js';
import { applyWorkflow } from '../stack/run-workflow.js';
import { startNodes } from '../stack/start-nodes.js';
import { main, withStack } from '../stack/with-stack.js';
import { median, percentile } from '../statistics/percentile.js';
import { countRows, durabilitySettings } from './database-facts.js';
import { parseDispatchOptions, profileEnvironment } from './dispatch-options.js';
import { measureSteps, measureThroughput, type StepTimes, type Throughput } from './measure-runs.js';
import { independentNoops, noopChain } from './noop-workflows.js';
import { Peer } from './peers/peer.js';

interface Peers {
  bullmq: Peer;
  graphile: Peer;
}

interface Round {
  medley: Throughput;
  bullmq: number;
  graphile: number;
  steps: StepTimes;
}

/** One after the other, so that each has the machine to itself; rounds of all alternate, so that a slow minute hits all alike. */
async function measureRound(stack: Stack, peers: Peers, workflowId: string, chainId: string, tasks: number): Promise<Round> {
  const medley = await measureThroughput(stack, workflowId);
  const bullmq = await peers.bullmq.measure(tasks);
  const graphile = await peers.graphile.measure(tasks);
  const steps = await measureSteps(stack, chainId);
  progress(
    `medley ${medley.taskRunsPerSecond.toFixed(0)}/s, bullmq ${bullmq.toFixed(0)}/s, graphile-worker ${graphile.toFixed(0)}/s, ` +
      `step p50 ${percentile(steps.periodsMs, 0.5).toFixed(1)} ms`,
  );
  return { medley, bullmq, graphile, steps };
}

async function measureRounds(stack: Stack, peers: Peers, options: { tasks: number; rounds: number; steps: number }): Promise<Round[]> {
  const workflowId = await applyWorkflow(stack, independentNoops(options.tasks));
  const chainId = await applyWorkflow(stack, noopChain(options.steps + 1));
  progress('a round to warm up');
  await measureRound(stack, peers, workflowId, chainId, options.tasks);
  const rounds: Round[] = [];
  while (rounds.length < options.rounds) rounds.push(await measureRound(stack, peers, workflowId, chainId, options.tasks));
  return rounds;
}

async function withPeers<T>(stack: Stack, work: (peers: Peers) => Promise<T>): Promise<T> {
  if (stack.redis === null) throw new Error('This bench compares with BullMQ and needs a Redis');
  const bullmq = await Peer.start('bullmq', stack.redis.url);
  try {
    const graphile = await Peer.start('graphile', stack.databaseUrl);
    try {
      return await work({ bullmq, graphile });
    } finally {
      await graphile.stop();
    }
  } finally {
    await bullmq.stop();
  }
}

function resultOf(rounds: readonly Round[]) {
  const ofRounds = (value: (round: Round) => number) => median(rounds.map(value));
  const periods = rounds.flatMap((round) => round.steps.periodsMs);
  return {
    taskRunsPerSecond: rounded(
      ofRounds((round) => round.medley.taskRunsPerSecond),
      0,
    ),
    bullmqPerSecond: rounded(
      ofRounds((round) => round.bullmq),
      0,
    ),
    graphileWorkerPerSecond: rounded(
      ofRounds((round) => round.graphile),
      0,
    ),
    ratioToBullmq: rounded(
      ofRounds((round) => round.medley.taskRunsPerSecond / round.bullmq),
      3,
    ),
    stepMsP50: rounded(percentile(periods, 0.5), 2),
    stepMsP99: rounded(percentile(periods, 0.99), 2),
  };
}

function tableOf(rounds: readonly Round[], result: ReturnType<typeof resultOf>): string {
  const hops = rounds.flatMap((round) => round.steps.hopsMs);
  const each = (value: (round: Round) => number) => rounds.map((round) => value(round).toFixed(0)).join(' ');
  const sum = (value: (round: Round) => number) => rounds.reduce((total, round) => total + value(round), 0);
  return formatTable([
    ['per second', 'median', 'rounds'],
    ['medley task runs', result.taskRunsPerSecond, each((round) => round.medley.taskRunsPerSecond)],
    ['bullmq jobs', result.bullmqPerSecond, each((round) => round.bullmq)],
    ['graphile-worker jobs', result.graphileWorkerPerSecond, each((round) => round.graphile)],
    ['ratio to bullmq, median of rounds', result.ratioToBullmq, ''],
    ['deliveries by queue / by pull', sum((round) => round.medley.byQueue), sum((round) => round.medley.byPull)],
    ['', '', ''],
    ['a step of a chain, ms', 'p50', 'p99'],
    ['claim to claim of the next', result.stepMsP50, result.stepMsP99],
    ['stored end to claim of the next', percentile(hops, 0.5).toFixed(2), percentile(hops, 0.99).toFixed(2)],
  ]);
}

/** A killed process writes no profile. */
async function endGently(stack: Stack): Promise<void> {
  await Promise.all(stack.agents.map((agent) => agent.stop()));
  await Promise.all(stack.servers.map((server) => server.stop(30_000)));
}

await main(async () => {
  const options = parseDispatchOptions(process.argv.slice(2));
  const env = profileEnvironment(options.profileDirectory);
  return withStack({ servers: 1, serverEnv: env }, async (stack) => {
    await startNodes(stack, [{ name: 'node-1', declaredSpeed: null, cpuMillis: null, env }]);
    const rounds = await withPeers(stack, (peers) => measureRounds(stack, peers, options));
    const result = resultOf(rounds);
    process.stdout.write(`${tableOf(rounds, result)}\n\n`);
    process.stdout.write(`${formatTable([['setting', 'value'], ...(await durabilitySettings(stack.databaseUrl))])}\n\n`);
    process.stdout.write(`${formatTable([['table', 'rows'], ...(await countRows(stack.databaseUrl))])}\n\n`);
    if (options.profileDirectory !== null) await endGently(stack);
    printResult(result);
    return 0;
  });
});
