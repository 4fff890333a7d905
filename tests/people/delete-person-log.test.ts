import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { addRow } from '../support/person-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const personal = {
  email: 'zebulon.quux@example.com',
  phone: '+15550142',
  external_user_id: 'quux-external',
  first_name: 'Zebulon',
  last_name: 'Quux',
};
const traces = /zebulon|quux|5550142/i;

test('DEL-003 a reason is recorded with the deletion, as it was sent', async () => {
  const org = await world().newOrg();
  const [first, second] = [await org.person({ anonymous_id: '1' }), await org.person({ anonymous_id: '2' })];
  const reason = ' Asked by letter, “GDPR” request 42 ';
  await org.tool('delete_person', { person_id: first, reason });
  await org.rest(`DELETE /v1/people/${second}`, { reason });
  const rows = await deletionsOf(org);
  expect(rows.map((row) => [row.ids, row.reason])).toEqual([
    [{ person_id: first }, reason],
    [{ person_id: second }, reason],
  ]);
});

test('a deletion is logged with ids, the API key, face, request id and moment', async () => {
  const org = await world().newOrg();
  const other = await world().newKey(org, ['people.delete']);
  const [first, second] = [await org.person({ anonymous_id: '1' }), await org.person({ anonymous_id: '2' })];
  const started = Date.now();
  const rest = await org.rest(`DELETE /v1/people/${first}`);
  await other.tool('delete_person', { person_id: second });
  const toolLine = linesOf(org).find((line) => line['face'] === 'mcp')!;
  const key = { actor_kind: 'api_key', operation: 'delete_person', address: '127.0.0.1', reason: null };
  const rows = await deletionsOf(org);
  expect(rows).toMatchObject([
    {
      ...key,
      actor_id: org.keyId,
      face: 'rest',
      request_id: rest.headers.get('request-id'),
      ids: { person_id: first },
    },
    {
      ...key,
      actor_id: other.keyId,
      face: 'mcp',
      request_id: toolLine['request_id'],
      ids: { person_id: second },
    },
  ]);
  for (const { at } of rows) expect(Math.abs(at.getTime() - started)).toBeLessThan(60_000);
});

test('DEL-006 no name, email or phone is in the record of a deletion, nor in any log line', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(personal);
  await org.tool('search_people', { query: personal.email });
  await org.rest(`GET /v1/people?email=${personal.email}`);
  await org.tool('set_opt_outs', { person_id, email_opt_out: true, sms_opt_out: true });
  expect((await org.tool('delete_person', { person_id })).isError).toBe(true);
  expect((await org.rest(`DELETE /v1/people/${person_id}?drop_suppression=true`)).status).toBe(200);
  const toolPerson = await org.person({ ...personal, email: 'quux@example.com', phone: '5550142' });
  await org.tool('set_opt_outs', { person_id: toolPerson, email_opt_out: false, sms_opt_out: false });
  expect((await org.tool('delete_person', { person_id: toolPerson })).isError).toBe(false);

  expect(await deletionsOf(org)).toHaveLength(2);
  const { rows } = await world().admin.query('select a::text as row from audit_log a where org_id = $1', [
    org.id,
  ]);
  expect(rows.length).toBeGreaterThan(4);
  for (const { row } of rows) expect(row).not.toMatch(traces);
  const lines = linesOf(org);
  expect(lines.filter((line) => line['operation'] === 'delete_person').length).toBe(3);
  expect(world().logLines.join('\n')).not.toMatch(traces);
  // Nor in anything else that is left of them.
  expect(JSON.stringify(await contentsOf(world().admin, org))).not.toMatch(traces);
});

test('a refused deletion leaves no record of a deletion', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(personal);
  await addRow(world().admin, org.id, 'tasks', person_id);
  await org.tool('delete_person', { person_id, reason: 'in vain' });
  expect(await deletionsOf(org)).toEqual([]);
});

test('what is kept of a suppressed address is a keyed hash', async () => {
  const org = await world().newOrg();
  const person_id = await org.person(personal);
  await org.tool('set_opt_outs', { person_id, email_opt_out: true, sms_opt_out: true });
  await org.rest(`DELETE /v1/people/${person_id}?drop_suppression=true`);
  const { suppressed_addresses: kept } = await contentsOf(world().admin, org);
  expect(kept).toHaveLength(2);
  const plain = [personal.email, personal.phone].map((text) =>
    createHash('sha256').update(text).digest('hex'),
  );
  for (const { address_hash } of kept as { address_hash: Buffer }[]) {
    expect(address_hash).toHaveLength(32);
    expect(plain).not.toContain(address_hash.toString('hex'));
  }
});

interface Deletion {
  ids: unknown;
  reason: string | null;
  at: Date;
}

async function deletionsOf(org: TestOrg): Promise<Deletion[]> {
  const { rows } = await world().admin.query<Deletion>(
    `select * from audit_log where org_id = $1 and operation = 'delete_person' order by at, id`,
    [org.id],
  );
  return rows;
}

const linesOf = (org: TestOrg): Record<string, unknown>[] =>
  world()
    .logLines.map((line) => JSON.parse(line))
    .filter((line) => line.org_id === org.id);
