import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { wholeLines } from '../../src/faces/rest/csv/whole-lines.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { importsOf, mapping, streamCsv, urlOf } from './send-csv.ts';

const world = useWorld();
/** A header and so many rows, each with a note of so many letters, made as they are asked for. */
async function* fileOf(rows: number, letters: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Email,Name,Note\n');
  const note = 'n'.repeat(letters);
  for (let from = 0; from < rows; from += 100) {
    const part = Array.from(
      { length: Math.min(100, rows - from) },
      (_, at) => `p${from + at}@example.com,P,${note}\n`,
    );
    yield Buffer.from(part.join(''));
  }
}

const wide = { ...mapping, Note: 'skip' };

/** That fifty thousand are the most, csv-refusals.test.ts shows. */
const many = isLong ? 50_000 : 10_000;

test(`${many} rows are staged by one upload`, async () => {
  const org = await world().newOrg();
  const { body } = await streamCsv(
    org,
    { name: 'Spring', mapping: wide },
    ReadableStream.from(fileOf(many, 100)),
  );
  expect(body).toMatchObject({ total_rows: many, accepted: many, rejected: 0, rejected_rows: [] });
});

test(
  'the upload waits while rows are written, so that little of a file is held at a time',
  { timeout: 240_000 },
  async () => {
    const org = await world().newOrg();
    const { admin } = world();
    const rows = isLong ? 10_000 : 6_000; // more than may be held, by far
    let sent = 0;
    await admin.query('begin');
    await admin.query('lock table import_parts in access exclusive mode');
    const answer = streamCsv(org, { name: 'Spring', mapping: wide }, ReadableStream.from(counted()));
    let before = -1;
    while (sent === 0 || sent !== before) {
      before = sent;
      await pause(1_000);
    }
    // What the two ends of the connection hold for each other is megabytes already.
    expect(sent / 1e6).toBeLessThan(25);
    await admin.query('rollback');
    expect((await answer).body).toMatchObject({ total_rows: rows, rejected: 0 });
    expect(sent).toBeGreaterThan(rows * 6_000);

    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of fileOf(rows, 6_000)) {
        sent += piece.length;
        yield piece;
      }
    }
  },
);

test('a client that goes away in the middle leaves nothing', async () => {
  const org = await world().newOrg();
  const sending = new AbortController();
  const response = fetch(urlOf(org, { name: 'Spring', mapping: wide }), {
    method: 'POST',
    headers: { authorization: org.secret, 'auth-type': 'api', 'content-type': 'text/csv' },
    body: ReadableStream.from(fileOf(50_000, 10)),
    duplex: 'half',
    signal: sending.signal,
  });
  await expect
    .poll(() => importsOf(org), { timeout: 30_000 })
    .toMatchObject([{ status: 'mapped', total_rows: expect.toSatisfy((n: number) => n > 0) }]);
  sending.abort();
  await expect(response).rejects.toThrow(/abort/i);
  // What was on its way already is still read, and then taken back.
  await expect.poll(() => importsOf(org), { timeout: 30_000 }).toEqual([]);
  const left = await world().admin.query('select 1 from import_parts where org_id = $1', [org.id]);
  expect(left.rowCount).toBe(0);
});

test('more than 64 MB is refused, told or not told beforehand', { timeout: 240_000 }, async () => {
  const org = await world().newOrg();
  const megabytes = async (count: number): Promise<number> => {
    const piece = Buffer.from(`${'n'.repeat(1024 * 1024 - 1)}\n`);
    const pieces = Array.from({ length: count }, () => piece);
    let read = 0;
    for await (const lines of wholeLines(ReadableStream.from(pieces))) read += lines.length;
    return read;
  };
  expect(await megabytes(64)).toBe(64 * 1024 * 1024);
  const refused: unknown[] = [await megabytes(65).catch(({ code, message }) => ({ code, detail: message }))];
  // To send so much takes many seconds, so the gate asks the reader of lines alone.
  if (isLong) {
    const file = ReadableStream.from(fileOf(100, 700_000));
    refused.push((await streamCsv(org, { name: 'Spring', mapping: wide }, file)).body);
  }
  for (const said of refused)
    expect(said).toMatchObject({ code: 'too_large', detail: expect.stringContaining('64 MB') });
  const told = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(urlOf(org, { name: 'Spring', mapping: wide }), {
      method: 'POST',
      headers: {
        authorization: org.secret,
        'auth-type': 'api',
        'content-type': 'text/csv',
        'content-length': 65 * 1024 * 1024,
      },
    });
    sent
      .on('response', ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      })
      .on('error', reject)
      .flushHeaders();
  });
  expect(told).toBe(413);
  expect(await importsOf(org)).toEqual([]);
});
