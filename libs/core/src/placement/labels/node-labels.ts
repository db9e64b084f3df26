import type { NodeSnapshot } from '../node-snapshot.js';

const platformNames: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

/**
 * The labels that expressions are matched against: those given to the node, and `os` (linux, macos, windows) and `node` (its name), which
 * every node has. A given label wins over an implied one.
 */
export function nodeLabels(node: Pick<NodeSnapshot, 'name' | 'platform' | 'labels'>): Record<string, string> {
  return { os: platformNames[node.platform] ?? node.platform, node: node.name, ...node.labels };
}
