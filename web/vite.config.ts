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

/** The page names the script that runs before the frame is here. By itself the frame would be fetched first. */
function beginsFirst(): Plugin {
  return {
    name: 'rostrum-begins-first',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) =>
        Object.values(bundle)
          .filter((part) => part.type === 'chunk' && part.isEntry && part.name === 'begin')
          .map(({ fileName }) => ({
            tag: 'script',
            attrs: { type: 'module', crossorigin: true, src: `/${fileName}` },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}

export default defineConfig({
  worker: { format: 'es' },
  plugins: [react(), factsPlugin(), beginsFirst(), compressed()],
  build: {
    target: 'es2023',
    // Everything is fetched with a policy that forbids what is inside of a page or of a stylesheet.
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: 'index.html', begin: 'src/begin.ts' } },
    modulePreload: { polyfill: false },
    // Which file needs which: pages name the files of their screens by it, and `npm run budgets` adds them up.
    manifest: true,
  },
});
