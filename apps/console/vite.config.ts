import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { ElementPlusResolver } from 'unplugin-vue-components/resolvers';
import components from 'unplugin-vue-components/vite';
import { defineConfig } from 'vite';
import { precompress } from './build/precompress.js';
import { zodWithoutEval } from './build/zod-without-eval.js';

const library = (name: string) => fileURLToPath(new URL(`../../libs/${name}/src/index.ts`, import.meta.url));

/** Where `vite dev` finds the server; the built console is served by the server itself. */
const serverUrl = process.env.MEDLEY_SERVER_URL ?? 'http://127.0.0.1:8080';

/** Element Plus comes in component by component; our own components are imported by name. */
export const plugins = [vue(), components({ dirs: [], dts: false, resolvers: [ElementPlusResolver({ importStyle: 'css' })] })];

export const alias = { '@medley/core': library('core'), '@medley/contracts': library('contracts') };

export default defineConfig({
  plugins: [...plugins, zodWithoutEval(), precompress()],
  resolve: { alias },
  worker: { format: 'es', plugins: () => [zodWithoutEval({ isOptional: true })] },
  define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
  server: { proxy: { '/api': { target: serverUrl, changeOrigin: false } } },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    // Nothing in these does anything by being loaded, so that what the first page does not use (YAML, cron) stays out of it.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [{ test: /\/libs\/(core|contracts)\/src\/|\/node_modules\/(yaml|croner|zod)\//, sideEffects: false }],
      },
    },
  },
});
