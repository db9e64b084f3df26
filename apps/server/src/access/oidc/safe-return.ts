/** Longer ones would not fit into the cookie that keeps them during the sign-in. */
const MAX_LENGTH = 2000;

/**
 * The address to go on to after a sign-in: what was asked for when that is a page of this console, otherwise its first one. Always absolute and always
 * of this origin, because a bare path may be read as an address of another site (`//evil.example`).
 */
export function safeReturn(asked: string, publicOrigin: string): string {
  const home = `${publicOrigin}/`;
  if (!asked.startsWith('/') || !URL.canParse(asked, publicOrigin)) return home;
  const url = new URL(asked, publicOrigin);
  if (url.origin !== publicOrigin || url.pathname.startsWith('/api/')) return home;
  const page = `${url.pathname}${url.search}${url.hash}`;
  return page.length > MAX_LENGTH ? home : `${publicOrigin}${page}`;
}
