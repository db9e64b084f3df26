const labelName = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;

/** Labels out of `zone=dc1, disk=ssd`, or null when a part is none. */
export function parseLabels(text: string): Record<string, string> | null {
  const labels: Record<string, string> = {};
  for (const part of text.split(/[,\n]/).map((each) => each.trim())) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    if (!labelName.test(name)) return null;
    labels[name] = part.slice(at + 1).trim();
  }
  return labels;
}
