import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking'];
/** Charts draw themselves for so long, on a canvas that tells nobody when it rests. */
const CHARTS_MS = 700;
/** Pictures on one sheet that shows many at once. */
const SHEET_COLUMNS = 3;
const SHEET_PICTURES = 9;

/** A real Chromium that goes through scenes of the console and keeps what it sees. */
export class Photographer {
  /** Errors of pages, each once. */
  complaints = new Set();
  #browser;
  #page;
  #ids;
  #desk;

  static async open({ url, name, password }, ids) {
    const photographer = new Photographer();
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', baseURL: url });
    const page = await context.newPage();
    page.on('pageerror', (error) => photographer.complaints.add(error.message));
    await page.goto('/login');
    await page.locator('input').first().fill(name);
    await page.locator('input[type="password"]').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => address.pathname === '/');
    photographer.#browser = browser;
    photographer.#page = page;
    photographer.#ids = ids;
    // Pictures are made smaller on a page of its own: the console's policy would forbid it.
    photographer.#desk = await (await browser.newContext()).newPage();
    return photographer;
  }

  /** Takes all scenes in one look into `folder`, and sheets of many; `withOthers` adds the pages that no scene names and the page to sign in. */
  async takeAll(scenes, look, folder, withOthers) {
    mkdirSync(folder, { recursive: true });
    await this.#dress(look);
    const others = withOthers ? await this.#otherPages(scenes) : [];
    const files = [];
    for (const scene of [...scenes, ...others]) {
      const picture = await this.#take(scene);
      if (picture === null) continue;
      files.push({ name: scene.name, file: join(folder, `${scene.name}.png`) });
      writeFileSync(files.at(-1).file, picture);
    }
    for (let at = 0; at < files.length; at += SHEET_PICTURES) {
      await this.#sheet(files.slice(at, at + SHEET_PICTURES), join(folder, `sheet-${1 + at / SHEET_PICTURES}.png`));
    }
  }

  /** The pictures of the documentation: light, English, small files. */
  async takeForDocs(scenes, folder, viewport) {
    mkdirSync(folder, { recursive: true });
    await this.#dress({ viewport, theme: 'light', language: 'en' });
    for (const scene of scenes.filter(({ docs }) => docs !== undefined)) {
      const picture = await this.#take(scene);
      if (picture !== null) writeFileSync(join(folder, `${scene.docs}.webp`), await this.#shrunken(picture));
    }
  }

  async close() {
    await this.#browser.close();
  }

  async #dress({ viewport, theme, language }) {
    await this.#page.setViewportSize(viewport);
    await this.#page.goto('/');
    await this.#page.evaluate((value) => localStorage.setItem('medley.preferences', value), JSON.stringify({ theme, language }));
  }

  /** Null when the scene does not come; the others go on. */
  async #take(scene) {
    try {
      await this.#page.goto(scene.path(this.#ids));
      await this.#settled();
      if (scene.route !== undefined && (await this.#routeName()) !== scene.route)
        throw new Error(`its address is not the page "${scene.route}"`);
      await scene.act?.(this.#page);
      await this.#settled();
      return await this.#page.screenshot();
    } catch (error) {
      this.complaints.add(`${scene.name}: ${error.message.split('\n')[0]}`);
      return null;
    }
  }

  #routeName() {
    return this.#page.evaluate(() =>
      String(document.querySelector('#app').__vue_app__.config.globalProperties.$router.currentRoute.value.name),
    );
  }

  async #settled() {
    await this.#page.locator('h1, .empty, form').first().waitFor();
    await this.#page.locator('.skeleton-rows:visible').first().waitFor({ state: 'hidden' });
    await this.#page.waitForTimeout(CHARTS_MS);
  }

  /** Pages of the console's own list of routes that no scene goes to, where their address needs nothing. */
  async #otherPages(scenes) {
    const routes = await this.#page.evaluate(() =>
      document
        .querySelector('#app')
        .__vue_app__.config.globalProperties.$router.getRoutes()
        .map(({ name, path }) => ({ name: String(name), path })),
    );
    const known = new Set(scenes.map(({ route }) => route));
    return routes
      .filter(({ name, path }) => !known.has(name) && name !== 'login' && !path.includes(':'))
      .map(({ name, path }) => ({ name: `other-${name}`, path: () => path }));
  }

  async #shrunken(picture) {
    const address = await this.#desk.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85);
    }, picture.toString('base64'));
    return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  }

  async #sheet(files, target) {
    const figures = files.map(
      ({ name, file }) =>
        `<figure><img src="data:image/png;base64,${readFileSync(file).toString('base64')}"><figcaption>${name}</figcaption></figure>`,
    );
    const style = `body{margin:8px;display:grid;grid-template-columns:repeat(${SHEET_COLUMNS},1fr);gap:8px;font:16px sans-serif}figure{margin:0}img{width:100%;border:1px solid #888}`;
    await this.#desk.setViewportSize({ width: 2000, height: 1300 });
    await this.#desk.setContent(`<style>${style}</style>${figures.join('')}`);
    writeFileSync(target, await this.#desk.screenshot({ fullPage: true }));
  }
}
