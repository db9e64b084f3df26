import type { ASTNode } from '@marcbachmann/cel-js';
import { nearestName } from '../naming/index.js';
import { hintOf, type Phrase, phrase } from '../phrases/index.js';
import { iteratingCalls, knownCalls } from './functions.js';
import { type ExpressionFault, type RootShapes, rootForms } from './references.js';

interface Surroundings {
  /** Variables that stand for references, and those of the calls around. */
  names: ReadonlySet<string>;
  iterating: boolean;
  shapes: RootShapes;
}

/** Names and calls that the library would take and this language does not have, and what could take unbounded time. */
export function checkSyntax(ast: ASTNode, variables: ReadonlySet<string>, shapes: RootShapes): ExpressionFault[] {
  return checkNode(ast, { names: variables, iterating: false, shapes });
}

function checkNode(node: ASTNode, around: Surroundings): ExpressionFault[] {
  if (node.op === 'id') return around.names.has(node.args) ? [] : [{ text: unknownName(node.args, around.shapes), offset: node.pos }];
  if (node.op === 'call') return [...checkCall(node.args[0], node.pos), ...checkAll(node.args[1], around)];
  if (node.op === 'rcall') return checkMethod(node, around);
  return checkAll(partsOf(node), around);
}

function checkAll(nodes: readonly ASTNode[], around: Surroundings): ExpressionFault[] {
  return nodes.flatMap((node) => checkNode(node, around));
}

function partsOf(node: ASTNode): ASTNode[] {
  const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value;
  const parts: unknown = node.args;
  if (isNode(parts)) return [parts];
  return Array.isArray(parts) ? parts.flat(1).filter(isNode) : [];
}

function checkCall(name: string, offset: number): ExpressionFault[] {
  if (knownCalls.has(name)) return [];
  if (name === 'has') return [{ text: phrase('has-takes-one-name', { example: 'has(tasks.check.outputs.rows)' }), offset }];
  const nearest = nearestName(name, knownCalls);
  const hint = nearest === null ? phrase('there-are', { names: [...knownCalls] }) : hintOf(nearest);
  return [{ text: phrase('function-unknown', { name, hint }), offset }];
}

function checkMethod(node: ASTNode & { op: 'rcall' }, around: Surroundings): ExpressionFault[] {
  const [name, receiver, args] = node.args;
  const faults = [...checkCall(name, node.pos), ...checkNode(receiver, around)];
  if (!iteratingCalls.has(name)) return [...faults, ...checkAll(args, around)];
  const [variable, ...bodies] = args;
  if (around.iterating) return [...faults, { text: phrase('call-within-call', { name }), offset: node.pos }];
  if (!isNamedList(receiver)) faults.push({ text: phrase('call-over-computed-list', { name }), offset: node.pos });
  if (variable?.op !== 'id')
    return [...faults, { text: phrase('call-takes-item-name', { name, example: `list.${name}(item, …)` }), offset: node.pos }];
  return [...faults, ...checkAll(bodies, { ...around, names: new Set([...around.names, variable.args]), iterating: true })];
}

/** So that its length is that of a value, which is bounded. What another such call made of a list is no longer than the list. */
function isNamedList(node: ASTNode): boolean {
  if (node.op === 'id' || node.op === 'list') return true;
  if (node.op === 'rcall') return iteratingCalls.has(node.args[0]);
  return (node.op === '.' || node.op === '[]') && isNamedList(node.args[0]);
}

function unknownName(name: string, shapes: RootShapes): Phrase {
  const nearest = nearestName(name, Object.keys(shapes));
  const hint = nearest === null ? phrase('names-available', { names: rootForms(shapes) }) : hintOf(nearest);
  return phrase('name-unknown', { name, hint });
}
