import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

describe('the replay of a recorded workflow', () => {
  it('runs each task once and after its parents, through the queue, and says so in its last line', async () => {
    const args = [inRepository('scripts/replay.mjs'), inRepository('bench/data/small-fan.json'), '--target-seconds', '2'];
    // Rejects for any exit code but 0.
    const { stdout } = await run(process.execPath, args, { cwd: inRepository('.'), timeout: 240_000 });
    const result = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(result).toMatchObject({ violations: 0 });
    expect(result.tasks).toBeGreaterThan(0);
    const deliveries = result.byQueue + result.byPull;
    expect(deliveries).toBeGreaterThanOrEqual(result.tasks);
    // The pull is for what the queue did not bring: a few at most, such as what a node was sent before it listened.
    expect(result.byQueue / deliveries, `${result.byQueue} by queue, ${result.byPull} by pull`).toBeGreaterThanOrEqual(0.9);
    expect(result.ratio).toBeGreaterThanOrEqual(1);
  });
});
