import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stagedOf } from '../support/import.ts';
import { isLong, triesOfService } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, sendCsv, streamCsv } from './send-csv.ts';

const world = useWorld();

const letters = fc.constantFrom(
  '"',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\r\n',
  ' ',
  'a',
  'é',
  '€',
  '😀',
  '@',
  '\0',
  '\uFEFF',
);
const scribble = fc.array(letters, { maxLength: 60 }).map((parts) => Buffer.from(parts.join('')));
const noise = fc.uint8Array({ maxLength: 200 });
const header = Buffer.from('Email,Name\n');
const file = fc
  .tuple(fc.boolean(), fc.oneof(scribble, noise))
  .map(([headed, rest]) => (headed ? Buffer.concat([header, rest]) : Buffer.from(rest)));

test('whatever a file is made of, it is taken whole or refused and gone', async () => {
  const org = await world().newOrg();
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(file, async (bytes) => {
      const { status, body } = await sendCsv(org, { name: 'Spring', mapping }, bytes);
      expect([201, 'invalid_request']).toContain(body.code ?? status);
      if (status === 201) taken += 1;
      expect(await importsOf(org)).toHaveLength(Math.min(taken, 500));
    }),
    triesOfService(isLong ? 3_000 : 1_500),
  );
  expect(taken).toBeGreaterThan(10);
});

const cell = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '' && !text.includes('\0'));
const lineEnd = fc.constantFrom('\n', '\r\n');

/** Written as RFC 4180 has it, and cut anywhere on its way. */
test('cells come out as they went in, wherever the pieces of the upload end', async () => {
  const org = await world().newOrg();
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 8 }),
      lineEnd,
      fc.constantFrom(',', ';', '\t'),
      fc.integer({ min: 1, max: 7 }),
      async (names, end, part, size) => {
        const rows = names.map((name, at) => `p${at}@example.com${part}"${name.replaceAll('"', '""')}"`);
        const bytes = Buffer.from([`Email${part}Name`, ...rows].join(end));
        const { status, body } = await streamCsv(
          org,
          { name: 'Spring', mapping },
          ReadableStream.from(cut(bytes, size)),
        );
        expect({ status, body }).toMatchObject({ status: 201, body: { accepted: names.length } });
        const staged = await stagedOf(world(), body.import_id);
        expect(staged.rows.map((row) => row.fields.first_name)).toEqual(names.map((name) => name.trim()));
      },
    ),
    triesOfService(isLong ? 200 : 100),
  );
});

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
