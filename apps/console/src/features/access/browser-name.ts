/** The order counts: later browsers name the earlier ones as well. */
const browsers = [
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome', /(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
] as const;
const systems = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** `Chrome 128 · Linux` of a user agent; what is not known, e.g. a script, by its first word. */
export function browserName(userAgent: string): string {
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return [`${name} ${version}`, system].filter(Boolean).join(' · ');
  }
  return userAgent.split(' ')[0]!;
}
