/** The computed value of a design token, for canvases and charts, which cannot read CSS variables themselves. */
export function readToken(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
