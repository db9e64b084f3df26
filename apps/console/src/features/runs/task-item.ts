const longest = 60;

/** The item of an instance in short: texts as they are, everything else as JSON. */
export function itemText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
