import { expect, test } from 'vitest';
import { readStaged } from '../../src/domain/imports/record/staged-rows.ts';
import { inService } from '../support/in-service.ts';
import { useWorld } from '../support/world.ts';
import { committing, type Given } from './committing.ts';

const world = useWorld();

test('rows of a megabyte come a few at a time, in order and each once', async () => {
  const org = await world().newOrg();
  const text = 'x'.repeat(8_192);
  const rows: Given[] = Array.from({ length: 30 }, (_, at) => ({
    external_user_id: `u-${at}`,
    values: Array.from({ length: 95 }, () => text),
  }));
  const id = await committing(world(), org, { rows, partRows: 1 });
  const seen: number[][] = [];
  for (let after = 0; ;) {
    const staged = await inService(world(), org, (work) => readStaged(work, id, { after, mostRows: 1_000 }));
    if (staged === undefined) break;
    seen.push(staged.rows.map(({ row }) => row));
    after = staged.upTo;
  }
  expect(seen.flat()).toEqual(rows.map((_, at) => at + 1));
  expect(seen.map(({ length }) => length)).toEqual([11, 11, 8]); // 778 kB each, 8 MB at a time
});

test('a single part that is larger is taken all the same', async () => {
  const org = await world().newOrg();
  const rows = Array.from({ length: 12 }, (_, at) => ({
    external_user_id: `u-${at}`,
    values: Array.from({ length: 95 }, () => 'x'.repeat(8_192)),
  }));
  const id = await committing(world(), org, { rows, partRows: 12 });
  const staged = await inService(world(), org, (work) => readStaged(work, id, { after: 0, mostRows: 1_000 }));
  expect(staged).toMatchObject({ rows: { length: 12 }, upTo: 12 });
});
