import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './repository/paths.mjs';
import { main } from './repository/run.mjs';
import { Photographer } from './screenshots/photographer.mjs';
import { startProduct } from './screenshots/product.mjs';
import { fillProduct } from './screenshots/product-contents.mjs';
import { scenes } from './screenshots/scenes.mjs';
import { ensureBrowserNeeds } from './test/needs.mjs';

const sizes = { '1440x900': { width: 1440, height: 900 }, '1280x720': { width: 1280, height: 720 } };
const themes = ['light', 'dark'];
const languages = ['en', 'zh-CN'];

const help = `npm run screenshots -- [options]

Starts Medley with its examples and a generated history, and takes a picture of every screen in both sizes, themes and languages.

  --out DIR    where they go (default: screenshots/, which Git does not track)
  --only TEXT  only scenes whose name holds TEXT; may be given several times
  --look TEXT  only looks whose name holds TEXT, as 1440x900-light-en or dark; may be given several times
  --docs       only the pictures of the documentation, which go to docs/images
  --help       this text
`;

await main(async () => {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join(root, 'screenshots') },
      only: { type: 'string', multiple: true, default: [] },
      look: { type: 'string', multiple: true, default: [] },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const wanted = scenes.filter(({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)));
  ensureBrowserNeeds('the screenshots');
  const product = await startProduct();
  let photographer;
  try {
    const ids = await fillProduct(product);
    photographer = await Photographer.open(product, ids);
    await photographer.takeForDocs(wanted, join(root, 'docs/images'), sizes['1440x900']);
    for (const look of values.docs ? [] : looksOf(values.look)) {
      console.log(`medley: ${look.name}`);
      await photographer.takeAll(wanted, look, join(values.out, look.name), values.only.length === 0);
    }
    for (const complaint of photographer.complaints) console.error(`medley: ${complaint}`);
    return photographer.complaints.size === 0 ? 0 : 1;
  } finally {
    await photographer?.close();
    await product.stop();
  }
});

function looksOf(words) {
  const all = Object.keys(sizes).flatMap((size) =>
    themes.flatMap((theme) =>
      languages.map((language) => ({ name: `${size}-${theme}-${language}`, viewport: sizes[size], theme, language })),
    ),
  );
  return all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
}
