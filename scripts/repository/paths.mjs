import { fileURLToPath } from 'node:url';

/** Root of the checkout, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Path of a tool's own script below a workspace's node_modules, run with this Node: no shell, no npx. */
export function tool(path, workspace = '.') {
  return fileURLToPath(new URL(`../../${workspace}/node_modules/${path}`, import.meta.url));
}
