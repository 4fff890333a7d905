import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { style } from './style.ts';

const script = readFileSync(new URL('passkeys.js', import.meta.url), 'utf8');

/** Named for what it holds, so that browsers may keep it for good. */
const pathOf = (name: string, text: string, ending: string): string =>
  `/account/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`;

export const stylePath = pathOf('style', style, 'css');
export const scriptPath = pathOf('passkeys', script, 'js');

/** Serves the style of the pages, and the script of those with passkeys. */
export function servePageFiles(scope: FastifyInstance): void {
  for (const [path, type, text] of [
    [stylePath, 'text/css', style],
    [scriptPath, 'text/javascript', script],
  ] as const)
    scope.get(path, (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .send(text),
    );
}
