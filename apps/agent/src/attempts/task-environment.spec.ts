import { describe, expect, it } from 'vitest';
import { buildDispatch, buildWork } from '../testing/attempt-builders.js';
import { taskEnvironment } from './task-environment.js';

describe('environment of an attempt', () => {
  const node = { name: 'n1', declaredSpeed: null, installation: null };

  it('takes nothing else from the agent than what every program needs', () => {
    const agent = { PATH: '/bin', HOME: '/root', TZ: 'Asia/Shanghai', MEDLEY_JOIN_TOKEN: 't', MEDLEY_HOME: '/m', AWS_SECRET: 's' };
    const environment = taskEnvironment(buildWork(), buildDispatch(), node, agent, '/attempt');
    expect(
      Object.keys(environment)
        .filter((name) => !name.startsWith('MEDLEY_'))
        .sort(),
    ).toEqual(['HOME', 'LANG', 'PATH', 'TZ']);
    expect(environment).not.toHaveProperty('MEDLEY_JOIN_TOKEN');
    expect(environment).not.toHaveProperty('MEDLEY_HOME');
    expect(environment).toMatchObject({ LANG: 'C.UTF-8', MEDLEY_SPEED: '1' });
  });

  it('lets a task change what it inherits but not who it is', () => {
    const work = buildWork({ env: { PATH: '/opt/bin', MEDLEY_ATTEMPT_ID: 'forged' } });
    const dispatch = buildDispatch();
    expect(taskEnvironment(work, dispatch, node, { PATH: '/bin' }, '/attempt')).toMatchObject({
      PATH: '/opt/bin',
      MEDLEY_ATTEMPT_ID: dispatch.attemptId,
    });
  });
});
