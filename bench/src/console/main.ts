import { wholeOptions } from '../options/number-option.js';
import { formatTable, printResult, progress, rounded } from '../output/print.js';
import { startNodes } from '../stack/start-nodes.js';
import { main, withStack } from '../stack/with-stack.js';
import { generateRuns } from './generate-runs.js';
import { missedLimits } from './limits.js';
import { type GraphTimes, measureGraphs } from './measure-graph.js';
import { cursorOfPage, DEEP_PAGE, type ListTimes, measureLists, questionsOf } from './measure-lists.js';
import { consoleDirectory, type LogTimes, measureLog, openBrowser, runLayers, startWaitingRuns } from './phases.js';

interface Measured {
  tasks: number;
  runs: number;
  graphs: { workflow: GraphTimes; run: GraphTimes };
  smallPageMs: number;
  lists: ListTimes[];
  pages: { first: number; deep: number };
  log: LogTimes;
}

const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

function listTable(lists: readonly ListTimes[]): string {
  const rows = lists.map((each) => [each.name, each.rows, ms(each.p50Ms), ms(each.p95Ms), ms(each.worstMs), each.ratioToOneRun.toFixed(2)]);
  return formatTable([['question', 'rows', 'p50', 'p95', 'worst', 'to one run'], ...rows]);
}

function pageTable({ tasks, runs, graphs, smallPageMs, pages, log }: Measured): string {
  const percent = (value: number) => `${value.toFixed(1)} %`;
  return formatTable([
    [`workflow of ${tasks} tasks, drawn / interactive / worst`, ...graphCells(graphs.workflow)],
    [`run of ${tasks} tasks, drawn / interactive / worst`, ...graphCells(graphs.run)],
    ['a page with next to nothing, in turn with these', ms(smallPageMs), '', ''],
    [`page of runs among ${runs}, first / page ${DEEP_PAGE}`, ms(pages.first), ms(pages.deep), ''],
    [`log of ${log.lines} lines, last line in sight / worst`, ms(log.openMs), ms(log.openWorstMs), ''],
    ['  frames while nothing comes, p95 / worst / dropped', ms(log.still.p95Ms), ms(log.still.worstMs), percent(log.still.droppedPercent)],
    [
      '  frames while followed, p95 / worst / dropped',
      ms(log.following.p95Ms),
      ms(log.following.worstMs),
      percent(log.following.droppedPercent),
    ],
    ['  lines followed a second', log.followedPerSecond.toFixed(0), '', ''],
  ]);
}

const graphCells = (times: GraphTimes) => [ms(times.drawnMs), ms(times.interactiveMs), ms(times.worstMs)];

function resultOf({ tasks, runs, graphs, smallPageMs, lists, pages, log }: Measured) {
  const asked = lists.slice(1);
  const of = (name: string) => rounded(lists.find((each) => each.name === name)?.p95Ms ?? Number.NaN, 1);
  return {
    dagMs: rounded(Math.max(graphs.workflow.interactiveMs, graphs.run.interactiveMs), 0),
    listMs: of('list'),
    tasks,
    runs,
    dagWorkflowMs: rounded(graphs.workflow.interactiveMs, 0),
    dagRunMs: rounded(graphs.run.interactiveMs, 0),
    smallPageMs: rounded(smallPageMs, 0),
    page500Ms: of(`page ${DEEP_PAGE} by cursor`),
    worstFilterMs: rounded(Math.max(...asked.map((each) => each.p95Ms)), 1),
    worstFilter: asked.toSorted((left, right) => right.p95Ms - left.p95Ms)[0]?.name,
    ratioToOneRun: rounded(asked[0]?.ratioToOneRun ?? Number.NaN, 2),
    consoleListMs: rounded(pages.first, 0),
    consolePage500Ms: rounded(pages.deep, 0),
    logOpenMs: rounded(log.openMs, 0),
    logFramesDroppedPercent: rounded(log.following.droppedPercent, 1),
    stillFramesDroppedPercent: rounded(log.still.droppedPercent, 1),
    logLinesPerSecond: rounded(log.followedPerSecond, 0),
  };
}

const hasRows = () => document.querySelectorAll('main tbody tr').length > 20;

await main(async () => {
  const options = wholeOptions(process.argv.slice(2), {
    runs: { default: 1_000_000, least: 30_000, most: 10_000_000 },
    tasks: { default: 5000, least: 400, most: 10_000 },
    lines: { default: 200_000, least: 1000, most: 250_000 },
    samples: { default: 100, least: 1, most: 10_000 },
    visits: { default: 5, least: 1, most: 100 },
  });
  return withStack({ servers: 1, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory } }, async (stack) => {
    await startNodes(stack, [{ name: 'node-1', declaredSpeed: null, cpuMillis: null }]);
    progress(`a workflow of ${options.tasks} tasks runs`);
    const layers = await runLayers(stack, options.tasks);
    progress(`${options.runs} runs are written by SQL`);
    const ids = await generateRuns(stack.databaseUrl, options.runs, layers.workflowId, (done) => progress(`  ${done}`));
    await startWaitingRuns(stack);
    const deep = await cursorOfPage(stack.admin, DEEP_PAGE);
    progress(`lists are asked, ${options.samples} times each`);
    const lists = await measureLists(stack.admin, questionsOf(ids, deep), options.samples);
    const browser = await openBrowser(stack);
    try {
      progress('pages are opened');
      const pages = { first: await browser.visit('/runs', hasRows), deep: await browser.visit(`/runs?after=${deep}`, hasRows) };
      const addresses = { workflow: `/workflows/${layers.workflowId}`, run: `/runs/${layers.runId}` };
      const { graphs, smallPageMs } = await measureGraphs(browser, addresses, options.visits);
      const log = await measureLog(stack, browser, options.lines, options.visits);
      const measured: Measured = { tasks: options.tasks, runs: options.runs, graphs, smallPageMs, lists, pages, log };
      process.stdout.write(`${listTable(lists)}\n\n${pageTable(measured)}\n\n`);
      printResult(resultOf(measured));
      // What the bound is measured by is no question of a person.
      const missed = missedLimits({ graphs, lists: lists.slice(1), log });
      for (const each of missed) progress(`missed: ${each}`);
      return missed.length === 0 ? 0 : 1;
    } finally {
      await browser.close();
    }
  });
});
