import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { release } from '../../src/durable/release.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** These find files of their own, or are loaded by few processes only, and stay where npm put them. */
const apart = [
  'fastify',
  'pino',
  'smpp',
  'smtp-server',
  'openid-client',
  '@scalar/fastify-api-reference',
  /^nodemailer/,
];

/**
 * Writes the service into a few files instead of 1,500, so that a start neither resolves nor strips them. The source
 * must stay beside them: workers, migrations and files of pages are read from there.
 */
export async function bundle(folder: string): Promise<void> {
  await build({
    cwd: root,
    input: { rostrum: 'src/main/cli.ts' },
    platform: 'node',
    external: apart,
    plugins: [keepPlaces(folder), wasmApart],
    transform: { define: { bundledRelease: JSON.stringify(release()) } },
    output: {
      dir: folder,
      format: 'esm',
      cleanDir: true,
      sourcemap: true,
      charset: 'ascii', // V8 keeps a source with other signs in twice the memory
      // Names stay as they are: they are in error messages and stacks.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, legalComments: 'none' } },
    },
  });
}

/** A module that asks where it is learns where its source is. */
const keepPlaces = (folder: string): Plugin => ({
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(`${root}src/`) || !code.includes('import.meta.url')) return null;
    const place = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', place), map: null };
  },
});

const inCode = /const __wasm_base64__ = "([^"]+)";/;
const decoded = '__decode_base64__(__wasm_base64__)';

/** Restate's SDK has its core in its code, as text, which would stay in memory beside it: 4 MB. */
const wasmApart: Plugin = {
  name: 'wasm-apart',
  transform(code, id) {
    if (!id.endsWith('/sdk_shared_core_wasm_bindings.js')) return null;
    const text = inCode.exec(code)?.[1];
    if (text === undefined || !code.includes(decoded))
      throw new Error('Restate has its core elsewhere: see wasmApart in scripts/bundle/bundle.ts');
    this.emitFile({ type: 'asset', fileName: 'restate-core.wasm', source: Buffer.from(text, 'base64') });
    const read = "readFileSync(new URL('./restate-core.wasm', import.meta.url))";
    const rest = code.replace(inCode, '').replace(decoded, read);
    return { code: `import { readFileSync } from 'node:fs'; ${rest}`, map: null };
  },
};
