import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';

/** A form as it came. What could not be read stays in `typed` as far as it could, so that nobody types it again. */
export interface PostedForm {
  readonly typed: ReadonlyMap<string, string>;
  /** Names that came more than once; the first is kept. */
  readonly repeated: ReadonlySet<string>;
  /** Something in it is not UTF-8. */
  readonly isGarbled: boolean;
  readonly bytes: number;
}

const largestForm = 64 * 1024;
const mostPairs = 100;

/** Reads forms in the one encoding that browsers send ours in; the body of anything else is nothing. */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: largestForm },
    (_request, body, done) => done(null, parseForm(body as Buffer)),
  );
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestForm }, (_request, _body, done) =>
    done(null, undefined),
  );
}

function parseForm(body: Buffer): PostedForm {
  const typed = new Map<string, string>();
  const repeated = new Set<string>();
  let isGarbled = false;
  for (const pair of body.toString('latin1').split('&', mostPairs)) {
    const at = pair.indexOf('=');
    const [name, value] = [at < 0 ? pair : pair.slice(0, at), at < 0 ? '' : pair.slice(at + 1)].map(bytesOf);
    isGarbled ||= !isUtf8(name!) || !isUtf8(value!);
    const key = name!.toString();
    if (typed.has(key)) repeated.add(key);
    else typed.set(key, value!.toString());
  }
  return { typed, repeated, isGarbled, bytes: body.length };
}

const bytesOf = (encoded: string): Buffer =>
  Buffer.from(
    encoded
      .replaceAll('+', ' ')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
