import { build } from './build.mjs';
import { install } from './install.mjs';
import { main, StepFailed } from './repository/run.mjs';
import { runChecks } from './test/checks.mjs';
import { ensureTestNeeds } from './test/needs.mjs';
import { runProject, testProjects } from './test/projects.mjs';

const help = `npm test -- [--project unit|console|integration|e2e] [words of file names, -t 'part of a title', other options of vitest]

Without arguments: installs, builds, checks and runs every test. With arguments only the tests asked for run, without the checks.
`;

/** Takes `--project NAME` out of the arguments; the rest goes to vitest as it is. */
function readArguments(args) {
  const filter = [...args];
  const at = filter.indexOf('--project');
  const project = at < 0 ? null : filter.splice(at, 2)[1];
  return { project, filter };
}

function chosenProjects(project) {
  const projects = testProjects();
  if (project === null) return projects;
  const chosen = projects.filter(({ name }) => name === project);
  if (chosen.length > 0) return chosen;
  throw new StepFailed(`there is no test project "${project}", only ${projects.map(({ name }) => name).join(', ')}`);
}

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    console.log(help);
    return 0;
  }
  const startedAt = performance.now();
  await install();
  ensureTestNeeds();
  await build();
  const { project, filter } = readArguments(args);
  const faults = args.length === 0 ? await runChecks() : [];
  let passed = 0;
  for (const each of chosenProjects(project)) {
    const result = await runProject(each, filter);
    passed += result.passed;
    faults.push(...result.faults);
  }
  if (passed === 0) faults.push('no test ran');
  for (const fault of faults) console.log(fault);
  console.log(`Took ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  console.log(`${passed} passed, ${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
});
