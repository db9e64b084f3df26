import { build } from './build.mjs';
import { install } from './install.mjs';
import { main } from './repository/run.mjs';
import { openHome } from './start/home.mjs';
import { Installation } from './start/installation.mjs';
import { help, readOptions } from './start/options.mjs';
import { endWithNpm } from './start/watch-parent.mjs';

await main(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(help);
    return 0;
  }
  endWithNpm();
  const home = openHome(options);
  try {
    await install();
    await build();
    return await new Installation(options, home).run();
  } finally {
    home.release();
  }
});
