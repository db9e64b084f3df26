import type { Plugin } from 'vite';

/**
 * zod tries at load whether it may compile code, which the content security policy refuses and every browser reports as an error.
 * Its own switch against that must be set before its first module runs, so it is set there. A worker need not hold zod at all (`isOptional`).
 */
export function zodWithoutEval({ isOptional = false } = {}): Plugin {
  let isApplied = false;
  return {
    name: 'medley-zod-without-eval',
    enforce: 'pre',
    transform: (code, id) => {
      if (!/\/zod\/v4\/core\/core\.js/.test(id)) return null;
      isApplied = true;
      return { code: `globalThis.__zod_globalConfig ??= { jitless: true };\n${code}`, map: null };
    },
    buildEnd: (error) => {
      if (error === undefined && !isApplied && !isOptional)
        throw new Error('zod/v4/core/core.js was not found; its switch "jitless" has to be set elsewhere');
    },
  };
}
