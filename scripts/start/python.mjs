import { ensureProgram } from '../services/apt.mjs';

/** The Python that the examples with Python tasks need, installed when that is possible; null when there is none. Agents look for it when they start. */
export function findPython() {
  return ensureProgram({ programs: ['python3'], packages: ['python3'], purpose: 'examples run Python tasks' });
}
