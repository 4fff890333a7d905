import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { addRow, personTables } from '../support/person-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

type Arrange = (org: TestOrg, person: string) => Promise<unknown>;

const suppress: [string, Arrange][] = [
  [
    'an email opt-out',
    (org, person_id) => org.tool('set_opt_outs', { person_id, email_opt_out: true, sms_opt_out: false }),
  ],
  ['an SMS opt-out', (org, person_id) => org.tool('set_opt_outs', { person_id, sms_opt_out: true })],
  ['an email blacklist entry', (org, person) => addRow(world().admin, org.id, 'email_blacklist', person)],
];
const [emailOptOut, smsOptOut, blacklisted] = suppress as [
  [string, Arrange],
  [string, Arrange],
  [string, Arrange],
];

test.each([
  ['DEL-016', ...emailOptOut],
  ['DEL-017', ...smsOptOut],
  ['DEL-018', ...blacklisted],
])('%s delete_person is refused, deleting nothing, for a person with %s', async (_, __, arrange) => {
  const { org, person_id } = await personWithHistory();
  await arrange(org, person_id);
  const before = await contentsOf(world().admin, org);
  const refused = await org.tool('delete_person', { person_id, reason: 'asked for it' });
  expect(refused).toMatchObject({ isError: true, body: { status: 409, code: 'suppressed' } });
  expect(refused.text).toContain('drop_suppression=true');
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test.each(suppress)(
  'DEL-021 DELETE without drop_suppression=true is refused, deleting nothing, for a person with %s',
  async (_, arrange) => {
    const { org, person_id } = await personWithHistory();
    await arrange(org, person_id);
    const before = await contentsOf(world().admin, org);
    for (const query of ['', '?drop_suppression=false', '?reason=drop_suppression']) {
      const refused = await org.rest(`DELETE /v1/people/${person_id}${query}`);
      expect(refused).toMatchObject({ status: 409, body: { code: 'suppressed' } });
    }
    for (const query of ['?drop_suppression', '?drop_suppression=1', '?drop_suppression=TRUE']) {
      expect((await org.rest(`DELETE /v1/people/${person_id}${query}`)).status).toBe(400);
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
  },
);

test('DEL-019 the tool has no argument that overrides the refusal', async () => {
  const { org, person_id } = await personWithHistory();
  await emailOptOut[1](org, person_id);
  const { result } = await org.rpc('tools/list', {});
  const tool = result.tools.find(({ name }: { name: string }) => name === 'delete_person');
  expect(Object.keys(tool.inputSchema.properties).toSorted()).toEqual(['person_id', 'reason']);
  expect(tool.inputSchema.additionalProperties).toBe(false);
  const before = await contentsOf(world().admin, org);
  for (const override of ['drop_suppression', 'force', 'override', 'confirm']) {
    const refused = await org.tool('delete_person', { person_id, [override]: true });
    expect(refused).toMatchObject({
      isError: true,
      body: { status: 400, errors: [{ pointer: `/${override}`, code: 'unknown_field' }] },
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test.each([
  ['DEL-022', 'a task', 'tasks'],
  ['DEL-023', 'a connection invite', 'connection_invites'],
] as const)(
  '%s delete_person is refused, deleting nothing, while %s points at the person',
  async (_, __, table) => {
    const { org, person_id } = await personWithHistory();
    await addRow(world().admin, org.id, table, person_id);
    const before = await contentsOf(world().admin, org);
    const tool = await org.tool('delete_person', { person_id });
    expect(tool).toMatchObject({ isError: true, body: { status: 409, code: 'still_referenced' } });
    // What overrides suppression does not override this.
    for (const query of ['', '?drop_suppression=true']) {
      const rest = await org.rest(`DELETE /v1/people/${person_id}${query}`);
      expect(rest).toMatchObject({ status: 409, body: { code: 'still_referenced' } });
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);

    await world().admin.query(`delete from ${table} where org_id = $1`, [org.id]);
    expect((await org.tool('delete_person', { person_id })).body).toEqual({ deleted: true, person_id });
  },
);

test('a task that appears while the deletion waits still refuses it', async () => {
  const { admin } = world();
  const { org, person_id } = await personWithHistory();
  await admin.query('begin');
  await addRow(admin, org.id, 'tasks', person_id);
  const deletion = org.tool('delete_person', { person_id });
  await expect
    .poll(async () => {
      const { rows } = await admin.query(
        'select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
  await admin.query('commit');
  expect((await deletion).body).toMatchObject({ status: 409, code: 'still_referenced' });
  expect((await org.rest(`GET /v1/people/${person_id}`)).status).toBe(200);
});

test('people.delete is what it takes: people.write alone does not delete', async () => {
  const { org, person_id } = await personWithHistory();
  const writer = await world().newKey(org, ['people.read', 'people.write']);
  const before = await contentsOf(world().admin, org);
  expect(await writer.rest(`DELETE /v1/people/${person_id}`)).toMatchObject({ status: 403 });
  expect(await writer.tool('delete_person', { person_id })).toMatchObject({
    isError: true,
    body: { status: 403 },
  });
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

/** Somebody with a row in every table that does not itself refuse a deletion. */
async function personWithHistory(): Promise<{ org: TestOrg; person_id: string }> {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ann@example.com', phone: '+15550100', first_name: 'Ann' });
  for (const table of personTables) {
    if (['tasks', 'connection_invites', 'email_blacklist'].includes(table)) continue;
    await addRow(world().admin, org.id, table, person_id);
  }
  return { org, person_id };
}
