import { defineConfig } from 'vitest/config';
import { alias, plugins } from './vite.config.js';

export default defineConfig({
  plugins,
  resolve: { alias },
  test: {
    name: 'console',
    environment: 'node',
    include: ['src/**/*.spec.ts'],
    server: { deps: { inline: ['element-plus'] } },
  },
});
