import { phrase } from '@medley/core';
import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { type PathSegment, pathText, type WorkflowFault } from './fault.js';
import { maxNesting, YamlRefusal } from './yaml-composer.js';

/** More values than a file within the size cap can write out; aliases that multiply each other end here. */
const maxValues = 2_000_000;

/** Turns YAML nodes into plain values. Aliases are resolved under a budget; keys that come twice, and keys that are no names, are faults. */
export class YamlValueReader {
  readonly faults: WorkflowFault[] = [];
  private readonly anchors = new Map<string, Node>();
  /** Where the reader stands; one array for all, since copying it per value costs more than reading. */
  private readonly path: PathSegment[] = [];
  private values = 0;

  read(node: unknown): unknown {
    if (++this.values > maxValues) throw new YamlRefusal(phrase('too-many-values'));
    if (this.path.length > maxNesting) throw new YamlRefusal(phrase('nested-or-circular', { limit: maxNesting }));
    if (isAlias(node)) return this.readAlias(node.source);
    if (node !== null && typeof node === 'object' && 'anchor' in node && typeof node.anchor === 'string') {
      this.anchors.set(node.anchor, node as Node);
    }
    if (isMap(node)) return this.readMap(node);
    if (isSeq(node)) return this.readList(node);
    return isScalar(node) ? plainScalar(node.value) : null;
  }

  private readAlias(name: string): unknown {
    const target = this.anchors.get(name);
    if (target !== undefined) return this.read(target);
    this.faults.push({ path: [...this.path], text: phrase('alias-unknown', { name }) });
    return null;
  }

  private readList(list: YAMLSeq): unknown[] {
    return list.items.map((item, index) => this.readAt(index, item));
  }

  private readMap(map: YAMLMap): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const pair of map.items) {
      const key = keyText(pair.key);
      if (key === null || key === '__proto__') {
        this.faults.push({ path: [...this.path], text: key === null ? phrase('key-not-text') : phrase('key-forbidden', { key }) });
      } else if (Object.hasOwn(value, key)) {
        const path = [...this.path, key];
        this.faults.push({ path, atKey: true, text: phrase('key-twice', { key: pathText(path) }) });
      } else {
        value[key] = this.readAt(key, pair.value);
      }
    }
    return value;
  }

  private readAt(segment: PathSegment, node: unknown): unknown {
    this.path.push(segment);
    const value = this.read(node);
    this.path.pop();
    return value;
  }
}

/** Big integers and the like become numbers, as JSON would have them. */
function plainScalar(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function keyText(key: unknown): string | null {
  if (!isScalar(key)) return null;
  return typeof key.value === 'object' || typeof key.value === 'symbol' ? null : String(key.value);
}

export interface TextPosition {
  line: number;
  column: number;
}

/** The place of a path in the text, or of the nearest part of it that is there. For a fault of a key that is twice, its last one. */
export function locateInYaml(document: Document, lines: LineCounter, path: readonly PathSegment[], atKey: boolean): TextPosition | null {
  let node: unknown = document.contents;
  let offset = offsetOf(node);
  for (const [depth, segment] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.findLast((each) => keyText(each.key) === String(segment));
      if (pair === undefined) break;
      const ofKey = offsetOf(pair.key);
      node = pair.value;
      offset = isLast && atKey ? ofKey : (offsetOf(node) ?? ofKey ?? offset);
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = offsetOf(node) ?? offset;
    } else break;
  }
  if (offset === null) return null;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function offsetOf(node: unknown): number | null {
  const range = (node as Node | null | undefined)?.range;
  return range === null || range === undefined ? null : range[0];
}
