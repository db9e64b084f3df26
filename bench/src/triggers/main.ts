import { wholeOptions } from '../options/number-option.js';
import { formatTable, printResult, progress, rounded } from '../output/print.js';
import { applyWorkflow } from '../stack/run-workflow.js';
import { startNodes } from '../stack/start-nodes.js';
import { main, withStack } from '../stack/with-stack.js';
import { noopWorkflow } from './insert-schedules.js';
import { addIdleSchedules, disableSchedules, type IdleCpu, measureIdle } from './measure-idle.js';
import { measureTick, type Tick } from './measure-tick.js';

const BASELINE_SECONDS = 30;

/** The idle stack without schedules and with so many of them. */
interface Idle {
  schedules: number;
  baseline: IdleCpu;
  loaded: IdleCpu;
}

const totalPercent = ({ serversPercent, postgresPercent }: IdleCpu) => serversPercent + postgresPercent;

function resultOf(tick: Tick, { schedules, baseline, loaded }: Idle) {
  return {
    due: tick.due,
    fired: tick.fired,
    lost: tick.lost,
    doubled: tick.doubled,
    lateMsP50: rounded(tick.lateMsP50, 1),
    lateMsP99: rounded(tick.lateMsP99, 1),
    idleSchedules: schedules,
    idleCpuPercent: rounded(totalPercent(loaded), 2),
    idleBaselinePercent: rounded(totalPercent(baseline), 2),
  };
}

function idleRows(title: string, { seconds, serversPercent, postgresPercent }: IdleCpu): [string, string][] {
  return [
    [title, `measured for ${seconds.toFixed(1)} s`],
    ['  CPU of the servers', `${serversPercent.toFixed(2)} % of a core`],
    ['  CPU of Postgres', `${postgresPercent.toFixed(2)} % of a core`],
  ];
}

function tableOf(tick: Tick, { schedules, baseline, loaded }: Idle, servers: number): string {
  return formatTable([
    ['servers', servers],
    ['schedules due on one tick (stored by SQL)', tick.due],
    ['fired', tick.fired],
    ['lost', tick.lost],
    ['doubled', tick.doubled],
    ['run created after its fire time, p50', `${tick.lateMsP50.toFixed(1)} ms`],
    ['run created after its fire time, p99', `${tick.lateMsP99.toFixed(1)} ms`],
    ['last run created after', `${tick.allFiredMs.toFixed(0)} ms`],
    ['last run ended after', `${tick.allEndedMs.toFixed(0)} ms`],
    ['runs succeeded', tick.runsSucceeded],
    ...idleRows('idle without an enabled schedule', baseline),
    ...idleRows(`idle with ${schedules} schedules (stored by SQL)`, loaded),
  ]);
}

await main(async () => {
  const options = wholeOptions(process.argv.slice(2), {
    due: { default: 5000, least: 1, most: 100_000 },
    idle: { default: 100_000, least: 1, most: 1_000_000 },
    seconds: { default: 60, least: 1, most: 3600 },
    servers: { default: 2, least: 1, most: 8 },
  });
  return withStack({ servers: options.servers }, async (stack) => {
    await startNodes(stack, [{ name: 'node-1', declaredSpeed: null, cpuMillis: null }]);
    const workflowId = await applyWorkflow(stack, noopWorkflow());
    progress(`${options.due} schedules come due on one tick`);
    const tick = await measureTick(stack, workflowId, options.due);
    // Heartbeats of a node would be counted as the cost of schedules.
    await Promise.all(stack.agents.map((agent) => agent.stop()));
    await disableSchedules(stack);
    progress(`no enabled schedule, for ${BASELINE_SECONDS} s`);
    const baseline = await measureIdle(stack, BASELINE_SECONDS);
    await addIdleSchedules(stack, workflowId, options.idle);
    progress(`${options.idle} schedules that are not due, for ${options.seconds} s`);
    const idle: Idle = { schedules: options.idle, baseline, loaded: await measureIdle(stack, options.seconds) };
    const result = resultOf(tick, idle);
    process.stdout.write(`${tableOf(tick, idle, options.servers)}\n\n`);
    printResult(result);
    return result.lost === 0 && result.doubled === 0 ? 0 : 1;
  });
});
