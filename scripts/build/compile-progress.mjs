import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * What of the output of `tsc -b --verbose` is for people: a line as each project begins to be compiled, and what the compiler complains of. Returns a
 * function of one line of it that answers what to print, or null. Nothing is out of date: nothing is printed.
 */
export function compileProgress({ root, projects }) {
  let seen = 0;
  return (line) => {
    const text = stripVTControlCharacters(line).trimEnd();
    const told = /^\[?\d+:\d+:\d+(?:\s?[AP]M)?\]? (?:- )?(.*)$/.exec(text)?.[1];
    if (told === undefined) return /^ {4}\* \S*tsconfig\.json$/.test(text) || text === '' ? null : line;
    if (/^Project '.*' is (?:up to date|out of date)/.test(told)) seen += 1;
    const building = /^Building project '(.*)'/.exec(told)?.[1];
    return building === undefined ? null : `medley: compiling ${relative(root, dirname(building))} (${seen} of ${projects})`;
  };
}
