import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { factsPlugin } from './facts-plugin.ts';

/** Each text also as it is sent to browsers that take it compressed. Last, when nothing changes it any more. */
function compressed(): Plugin {
  return {
    name: 'rostrum-compressed',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((one) => /\.(js|css|html)$/.test(one))) {
        const file = join(dir, name);
        writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
      }
    },
  };
}

export default defineConfig({
  worker: { format: 'es' },
  plugins: [react(), factsPlugin(), compressed()],
  build: {
    target: 'es2023',
    // Everything is fetched with a policy that forbids what is inside of a page or of a stylesheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Which file needs which, for `npm run budgets`.
    manifest: true,
  },
});
