import type pg from 'pg';
import type { Keyring } from '../../src/database/work.ts';
import { unpackRow, type PackedRow, type StagedRow } from '../../src/domain/imports/record/staged-row.ts';
import { append, mapped } from '../support/import.ts';
import type { TestOrg } from '../support/test-org.ts';
import { propertyTypes, type Case } from './truth-case.ts';

/** People as the case has them, and its import with all rows appended. Answers the import's id. */
export async function arrange(
  pool: pg.Pool,
  org: TestOrg,
  { people, mapping, calls }: Case,
): Promise<string> {
  await pool.query(
    `insert into property_configs (org_id, id, key, name, type, created_at)
     select $1, gen_random_uuid(), p.key, p.key, p.value, now() from json_each_text($2) p`,
    [org.id, JSON.stringify(propertyTypes)],
  );
  for (const { called, values, optOuts, isGone } of people) {
    const person = await org.person(called);
    const said = Object.entries(optOuts).filter(([, out]) => out);
    if (said.length > 0) await org.rest(`PATCH /v1/people/${person}/opt-outs`, Object.fromEntries(said));
    if (isGone) await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`);
    else await setValues(pool, org, person, values);
  }
  const id = await mapped(org, mapping);
  for (const rows of calls) await append(org, id, rows);
  return id;
}

/** One that is null was cleared. */
const setValues = (pool: pg.Pool, org: TestOrg, person: string, values: object) =>
  pool.query(
    `insert into property_values (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by,
       created_at)
     select $1, $2, c.id, case c.type when 'string' then v.value end,
       case c.type when 'number' then v.value::float end, case c.type when 'boolean' then v.value::boolean end,
       new_id(now()), now()
     from json_each_text($3) v join property_configs c on c.org_id = $1 and c.key = v.key`,
    [org.id, person, JSON.stringify(values)],
  );

export async function stagedRows(pool: pg.Pool, id: string): Promise<StagedRow[]> {
  const { rows: parts } = await pool.query<{ rows: PackedRow[] }>(
    'select rows from import_parts where import_id = $1 order by first_row',
    [id],
  );
  return parts.flatMap(({ rows }) => rows.map((row) => unpackRow(row)));
}

/** Which of the addresses that rows bring are remembered as suppressed: type and value. */
export async function rememberedIn(
  pool: pg.Pool,
  { hashAddress }: Pick<Keyring, 'hashAddress'>,
  org: TestOrg,
  rows: readonly StagedRow[],
): Promise<Set<string>> {
  const { rows: known } = await pool.query<{ channel: string; hash: string }>(
    `select channel, encode(address_hash, 'hex') as hash from suppressed_addresses where org_id = $1`,
    [org.id],
  );
  const hashes = new Set(known.map(({ channel, hash }) => `${channel} ${hash}`));
  const values = [...new Set(rows.flatMap(({ called }) => called).filter((value) => value !== null))];
  const found = (type: string, channel: string): string[] =>
    values
      .filter((value) => hashes.has(`${channel} ${hashAddress(value).toString('hex')}`))
      .map((value) => `${type} ${value}`);
  return new Set([...found('email', 'email'), ...found('phone', 'sms')]);
}
