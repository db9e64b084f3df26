/** Follows links, redirects and forms with a cookie jar, as a browser does, and can alter an address on the way, as an attacker might. */
export class LinkFollower {
  private readonly jar = new Map<string, { value: string; path: string }>();
  /** Every address it was sent to, the last one last. */
  readonly visited: string[] = [];
  /** `Set-Cookie` lines as they came. */
  readonly cookieLines: string[] = [];
  /** Looks at every redirect before it is followed; the answer is the address to go to instead. */
  alter: (url: URL) => URL = (url) => url;

  /** Goes to an address and on by redirects; resolves with the first page that is none. */
  async visit(url: string, init: RequestInit = {}): Promise<{ url: URL; status: number; text: string }> {
    this.visited.push(url);
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie: this.cookiesFor(url) } });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) return { url: new URL(url), status: response.status, text };
    return this.visit(this.alter(new URL(location, url)).href);
  }

  /** Sends the form of a page with these values, and its hidden ones. */
  async submit(page: { url: URL; text: string }, values: Record<string, string>) {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`there is no form on ${page.url}: ${page.text.slice(0, 500)}`);
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]);
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...values });
    return this.visit(new URL(action, page.url).href, { method: 'POST', body });
  }

  cookie(name: string): string | null {
    return this.jar.get(name)?.value ?? null;
  }

  setCookie(name: string, value: string, path = '/'): void {
    this.jar.set(name, { value, path });
  }

  forgetCookies(): void {
    this.jar.clear();
  }

  private cookiesFor(url: string): string {
    const { pathname } = new URL(url);
    const sent = [...this.jar].filter(([, { path }]) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  private keep(line: string): void {
    this.cookieLines.push(line);
    const [pair = '', ...attributes] = line.split(/; */);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const of = (key: string) => attributes.find((each) => each.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
    const isOver = of('max-age') === '0' || Date.parse(of('expires') ?? '9999-12-31') <= Date.now();
    if (isOver || value === '') this.jar.delete(name);
    else this.jar.set(name, { value, path: of('path') ?? '/' });
  }
}
