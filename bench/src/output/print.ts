/** Rows as text columns, the first one to the left and the others to the right. */
export function formatTable(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = texts.reduce<number[]>((known, row) => row.map((cell, column) => Math.max(cell.length, known[column] ?? 0)), []);
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number)));
  return texts.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

/** A number with so many decimals, as a number: what is printed and what stands in the JSON line agree. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** What is going on, for the person who waits; standard output belongs to the results. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The last line of every bench: one JSON object. */
export function printResult(result: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
