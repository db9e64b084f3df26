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
  /** Errors of pages and of servers, each once. */
  complaints = new Set();
  #browser;
  /** Pages by who sees them: the administrator, somebody with a first password, and nobody yet. */
  #pages = {};
  #ids;
  #desk;

  static async open({ url, name, password }, ids) {
    const photographer = new Photographer();
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags });
    photographer.#browser = browser;
    photographer.#ids = ids;
    for (const [visitor, who] of Object.entries({ administrator: { name, password }, newcomer: ids.newcomer, nobody: null }))
      photographer.#pages[visitor] = await photographer.#enter(url, who);
    // Pictures are made smaller on a page of its own: the console's policy would forbid it.
    photographer.#desk = await (await browser.newContext()).newPage();
    return photographer;
  }

  async #enter(baseURL, who) {
    const context = await this.#browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', baseURL });
    const page = await context.newPage();
    this.#listenTo(page);
    await page.goto('/login');
    if (who === null) return page;
    await page.locator('input').first().fill(who.name);
    await page.locator('input[type="password"]').fill(who.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => address.pathname !== '/login');
    return page;
  }

  #listenTo(page) {
    page.on('pageerror', (error) => this.complaints.add(error.message));
    page.on('console', (message) => {
      // Of an answer only its status counts: a scene may well show a refusal.
      const isOfAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfAnswer) this.complaints.add(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.complaints.add(`${response.status()} for ${response.request().method()} ${response.url()}`);
    });
  }

  /** Takes all scenes in one look into `folder`, and sheets of many; `isAll` complains of pages that no scene shows. */
  async takeAll(scenes, look, folder, isAll) {
    mkdirSync(folder, { recursive: true });
    await this.#dress(look);
    if (isAll) await this.#complainOfUnseen(scenes);
    const files = [];
    for (const scene of scenes) {
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
    for (const page of Object.values(this.#pages)) {
      await page.setViewportSize(viewport);
      await page.goto('/');
      await page.evaluate((value) => localStorage.setItem('medley.preferences', value), JSON.stringify({ theme, language }));
    }
  }

  /** Null when the scene does not come; the others go on. */
  async #take(scene) {
    const page = this.#pages[scene.visitor ?? 'administrator'];
    try {
      await page.goto(scene.path(this.#ids));
      await settled(page);
      if (scene.route !== undefined && (await routeName(page)) !== scene.route)
        throw new Error(`its address is not the page "${scene.route}"`);
      await scene.act?.(page);
      await settled(page);
      const [failed] = await page.locator('.error-panel:visible').allTextContents();
      if (failed !== undefined) throw new Error(`it shows a panel of an error: ${failed.trim()}`);
      return await page.screenshot();
    } catch (error) {
      this.complaints.add(`${scene.name}: ${error.message.split('\n')[0]}`);
      return null;
    }
  }

  /** Every page of the console's own list of routes has a scene. */
  async #complainOfUnseen(scenes) {
    const names = await this.#pages.administrator.evaluate(() =>
      document
        .querySelector('#app')
        .__vue_app__.config.globalProperties.$router.getRoutes()
        .map(({ name }) => String(name)),
    );
    const seen = new Set(scenes.map(({ route }) => route));
    for (const name of names.filter((each) => !seen.has(each)))
      this.complaints.add(`no scene shows the page "${name}"; add one to scenes.mjs`);
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

function routeName(page) {
  return page.evaluate(() => String(document.querySelector('#app').__vue_app__.config.globalProperties.$router.currentRoute.value.name));
}

async function settled(page) {
  await page.locator('h1, .empty, form').first().waitFor();
  await page.locator('.skeleton-rows:visible').first().waitFor({ state: 'hidden' });
  await page.waitForTimeout(CHARTS_MS);
}
