import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** One import or re-export of a source file: static, type-only, dynamic with a literal, or by import.meta.resolve. */
export interface Import {
  /** Path of the importing file from the root of the repository. */
  readonly file: string;
  /** Workspace the file belongs to, such as `libs/core`. */
  readonly workspace: string;
  readonly specifier: string;
}

const skippedFolders = new Set(['node_modules', 'dist', 'coverage', 'public']);

/** Paths of all .ts, .mts, .tsx and .vue sources below a folder, declaration files apart. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : sourceFiles(path);
    return /\.(ts|mts|tsx|vue)$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

/** Every import of the workspace at `root/workspace`. */
export function importsOf(root: string, workspace: string): Import[] {
  return sourceFiles(join(root, workspace)).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const file = relative(root, path).split(sep).join('/');
    return specifiersOf(path, text).map((specifier) => ({ file, workspace, specifier }));
  });
}

/** The module names a source text mentions; of a .vue file those of its script blocks. */
export function specifiersOf(path: string, text: string): string[] {
  if (path.endsWith('.vue')) return scriptsOf(path, text).flatMap((script) => specifiersOf('script.ts', script));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) found.push(specifier);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false));
  return found;
}

/** The workspace that a relative specifier leads to, or null when it stays in its own. */
export function relativeTarget(found: Import, root: string): string | null {
  if (!found.specifier.startsWith('.')) return null;
  const target = relative(root, resolve(root, dirname(found.file), found.specifier))
    .split(sep)
    .join('/');
  return target === found.workspace || target.startsWith(`${found.workspace}/`) ? null : target;
}

/** The TypeScript in a source file: all of it, or the script blocks of a .vue file. */
export function scriptsOf(path: string, text: string): string[] {
  if (!path.endsWith('.vue')) return [text];
  return [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '');
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  if (ts.isExternalModuleReference(node)) return literal(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const called = node.expression;
  const isDynamic = called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && called.text === 'require');
  return isDynamic ? literal(node.arguments[0]) : undefined;
}

function literal(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}
