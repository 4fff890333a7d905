import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/domain/content/body/body.ts';
import { checkHtml } from '../../src/domain/content/body/check-html.ts';
import { readBody } from '../../web/src/broadcasts/body/read-body.ts';
import { bodySchema } from '../../web/src/broadcasts/body/schema.ts';
import { withoutHandlers } from '../../web/src/broadcasts/body/without-handlers.ts';
import { writeBody } from '../../web/src/broadcasts/body/write-body.ts';
import { seed, volume } from '../support/volume.ts';
import { parse } from './documents.ts';
import { fragments, programs } from './fragments.ts';

const many = volume(2_000);

/** As the editor opens a body and writes it down. */
function rewrite(html: string): string {
  const { document } = readBody(parse(html));
  bodySchema.nodeFromJSON(document).check();
  return writeBody(document);
}

/** What stays of a paste for somebody to mend: what they may have meant. Markup and characters are the editor's to clean. */
const meant = new Set([
  'template_syntax',
  'placeholder_place',
  'placeholder_split',
  'link_not_allowed',
  'image_not_allowed',
  'nesting',
]);

/** What is wrong with what became of a paste, if anything. */
function faultOf(written: string, findings: readonly Finding[]): string | undefined {
  if (findings.length === 0) return rewrite(written) === written ? undefined : 'it opens as something else';
  const lines = written.split('\n');
  const isPlaced = findings.every(
    ({ line, column }) => column >= 1 && column <= (lines[line - 1]?.length ?? -1) + 1,
  );
  if (!isPlaced) return 'a finding has no place in it';
  return findings.find(({ code }) => !meant.has(code))?.detail;
}

test(`what is pasted from word processors ends as a body that the service takes, or is refused with its place (${many}, seed ${seed})`, () => {
  const pasted = fc.sample(fragments, { numRuns: many, seed }).map(({ program, html }) => {
    const written = rewrite(withoutHandlers(html));
    const checked = checkHtml(written);
    const findings = 'findings' in checked ? checked.findings : [];
    return { program, html, written, isTaken: 'body' in checked, fault: faultOf(written, findings) };
  });
  expect(pasted).toHaveLength(many);
  expect(pasted.filter(({ fault }) => fault !== undefined)).toEqual([]);
  const taken = pasted.filter(({ isTaken }) => isTaken);
  expect([...new Set(taken.map(({ program }) => program))].toSorted()).toEqual(programs.toSorted());
  expect(taken.length).toBeGreaterThan(many / 3);
  expect(taken.length).toBeLessThan(many); // some of what was pasted is for somebody to mend
});
