import { expect, test } from 'vitest';
import { fieldNames, fieldOf, otherColumns } from '../../src/domain/person-fields/fields.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const ask = async <Row extends object>(text: string): Promise<Row[]> =>
  (await world().admin.query<Row>(text)).rows;

const declared = fieldNames.map((name) => ({ name, ...fieldOf(name) }));

test('every column of people is a declared field, or is listed beside them with its merge rule', async () => {
  const columns = await ask<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'people'`,
  );
  const known = [...declared.map(({ column }) => column), ...Object.keys(otherColumns)];
  expect(known.toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});

test('a field is declared as one that everybody has if, and only if, its column is not null', async () => {
  const columns = await ask<{ name: string }>(`
    select attname as name from pg_attribute
    where attrelid = 'people'::regclass and attnum > 0 and attnotnull and not attisdropped`);
  const never = new Set(columns.map(({ name }) => name));
  expect(declared.filter(({ column, everybodyHas }) => never.has(column) !== everybodyHas)).toEqual([]);
});

test('every index of people is named by a field, and leads with its column; a sorted list can be read from it', async () => {
  const rows = await ask<{ name: string; columns: string[] }>(`
    select i.relname as name, array_agg(a.attname::text order by place.at) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid,
      unnest(x.indkey::int2[]) with ordinality as place(attnum, at)
      join pg_attribute a on a.attrelid = 'people'::regclass and a.attnum = place.attnum
    where x.indrelid = 'people'::regclass and not x.indisprimary
    group by i.relname`);
  const indexes = new Map(rows.map(({ name, columns }) => [name, columns]));
  const named = declared.flatMap(({ index, column, sorted }) =>
    index === null ? [] : [[index, ['org_id', column, ...(sorted ? ['id'] : [])]] as const],
  );
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(indexes));
});

test('a field of fixed values takes those that its column takes', async () => {
  const checks = await ask<{ column: string; definition: string }>(`
    select a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.conrelid = 'people'::regclass and c.contype = 'c'`);
  const stored = checks.map(({ column, definition }) => [
    column,
    [...definition.matchAll(/'([^']*)'/g)].map(([, value]) => value),
  ]);
  const choices = declared.flatMap((field) =>
    field.kind === 'choice' ? [[field.column, field.values]] : [],
  );
  expect(Object.fromEntries(choices)).toEqual(Object.fromEntries(stored));
});
