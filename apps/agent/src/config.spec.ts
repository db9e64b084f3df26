import { delimiter } from 'node:path';
import { AppError } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { nodeNameOf, parseConfig } from './config.js';

describe('agent configuration', () => {
  it('takes several servers and defaults for the rest', () => {
    const environment = { MEDLEY_SERVER_URL: 'http://a:1, https://b/medley', MEDLEY_AGENT_NAME: 'n1', MEDLEY_AGENT_HOME: '/h' };
    const config = parseConfig(environment);
    expect(config).toEqual({
      serverUrls: ['http://a:1', 'https://b/medley'],
      joinToken: null,
      name: 'n1',
      home: '/h',
      logLevel: 'info',
      maxRunning: 1000,
      diskFreeMinMib: 64,
      watchPaths: [],
      installation: null,
      cpuSharePercent: null,
      environment,
    });
  });

  it.each(['0', '101', 'half', ''])('refuses the CPU share "%s"', (share) => {
    expect(() => parseConfig({ MEDLEY_SERVER_URL: 'http://a:1', MEDLEY_AGENT_CPU_SHARE: share })).toThrow(/MEDLEY_AGENT_CPU_SHARE/);
  });

  it('takes a CPU share in percent', () => {
    expect(parseConfig({ MEDLEY_SERVER_URL: 'http://a:1', MEDLEY_AGENT_CPU_SHARE: '12.5' }).cpuSharePercent).toBe(12.5);
  });

  it('takes directories as PATH names them, whole ones only', () => {
    const configOf = (paths: string) => parseConfig({ MEDLEY_SERVER_URL: 'http://a:1', MEDLEY_AGENT_WATCH_PATHS: paths });
    expect(configOf(['/data/in', '', '/spool'].join(delimiter)).watchPaths).toEqual(['/data/in', '/spool']);
    expect(() => configOf('data')).toThrow(/MEDLEY_AGENT_WATCH_PATHS/);
  });

  it('names every fault at once', () => {
    const fault = (() => {
      try {
        parseConfig({ MEDLEY_SERVER_URL: 'ftp://x', MEDLEY_JOIN_TOKEN: '', MEDLEY_MAX_RUNNING: 'many', MEDLEY_LOG_LEVEL: 'loud' });
      } catch (error) {
        return error;
      }
    })();
    expect(fault).toBeInstanceOf(AppError);
    expect((fault as AppError).fields?.map((field) => field.path)).toEqual([
      'MEDLEY_SERVER_URL',
      'MEDLEY_JOIN_TOKEN',
      'MEDLEY_LOG_LEVEL',
      'MEDLEY_MAX_RUNNING',
    ]);
  });

  it.each([
    ['Build-Box.local', 'build-box.local'],
    ['_worker 7_', 'worker-7'],
    ['排程', 'node'],
  ])('turns the host name %s into the node name %s', (host, name) => {
    expect(nodeNameOf(host)).toBe(name);
  });
});
