import { readFileSync } from 'node:fs';
import type { CheckedBody, Compiled, Finding } from '../../src/domain/content/body/body.ts';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';

interface Bodies {
  readonly given: { readonly bad: readonly string[]; readonly good: readonly string[] };
  readonly own: {
    readonly bad: readonly { readonly code: string; readonly body: string }[];
    readonly good: readonly string[];
  };
}

/** Bodies to be refused and to be accepted: a list from outside, and one with the code of the first finding. */
export const bodies = JSON.parse(
  readFileSync(new URL('./hostile-bodies.json', import.meta.url), 'utf8'),
) as Bodies;

export const allGood = [...bodies.given.good, ...bodies.own.good];
export const allBad = [...bodies.given.bad, ...bodies.own.bad.map(({ body }) => body)];

export function accepted(html: string): CheckedBody {
  const check = checkHtml(html);
  if ('findings' in check) throw new Error(`${html}\n${JSON.stringify(check.findings, null, 1)}`);
  return check.body;
}

export function refused(html: string): readonly Finding[] {
  const check = checkHtml(html);
  if ('body' in check) throw new Error(`Accepted: ${html}`);
  return check.findings;
}

/** The pieces as an author would write them. */
export const asWritten = (pieces: Compiled): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'text' in piece ? `{{${piece.text}}}` : ` href="{{${piece.link}}}"`;
    })
    .join('');
