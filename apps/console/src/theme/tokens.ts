/** The computed value of a design token, for canvases and charts, which cannot read CSS variables themselves. */
export function readToken(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A size among the tokens, in pixels, for what wants it as a number. */
export function readSize(name: string): number {
  return Number.parseFloat(readToken(name));
}
