import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../testing/agent-scene.js';
import { waitUntil } from '../testing/wait-until.js';

describe('an agent whose disk is short', () => {
  const scene = new AgentScene();
  beforeAll(() => scene.open());
  afterAll(() => scene.close());

  it('keeps a reserve while there is room', async () => {
    await waitUntil('reserve', () => existsSync(join(scene.agent.home, 'reserve')));
  });

  it('drops output with a marker, gives back the reserve, and still reports how the attempt ended', async () => {
    await scene.agent.signal('SIGTERM');
    scene.agent.start({ MEDLEY_DISK_FREE_MIN_MIB: '1000000000' });
    await waitUntil('second session', () => scene.server.sessions.length === 2);
    await waitUntil('reserve given back', () => !existsSync(join(scene.agent.home, 'reserve')));
    const dispatch = scene.run({ script: 'i=0; while [ $i -lt 40 ]; do echo line; sleep 0.02; i=$((i+1)); done; exit 5' });
    expect(await scene.finished(dispatch)).toMatchObject({ outcome: 'failed', exitCode: 5 });
    expect(scene.server.output(dispatch.attemptId, 'system').toString()).toContain('the disk of the node is short');
    expect(scene.stdout(dispatch).length).toBeLessThan(40 * 5);
  });
});
