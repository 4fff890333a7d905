import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** A person whose address was put on the blacklist; answers the entry. */
async function blacklisted(org: TestOrg, email: string, reason: string) {
  const person_id = await org.person({ email });
  const { rows } = await world().admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, new_id(now()), $2, $3, $4, now()) returning id`,
    [org.id, person_id, email, reason],
  );
  return { id: rows[0].id as string, person_id, email, reason };
}

const reach = async (org: TestOrg): Promise<number> => {
  const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
  return (await org.rest('POST /v1/segments/preview', { filters })).body.reachable_by_email;
};

test('blacklist entries are listed newest first, by page, person, address and reason', async () => {
  const org = await world().newOrg();
  const bounced = await blacklisted(org, 'bounced@example.com', 'bounced');
  const spam = await blacklisted(org, 'spam@example.com', 'complained');
  const told = await blacklisted(org, 'told@example.com', 'blacklisted');
  const list = async (query: string) => (await org.rest(`GET /v1/blacklist?${query}`)).body;
  const all = await list('');
  expect(all).toMatchObject({
    entries: [
      { ...told, can_be_lifted: true },
      { ...spam, can_be_lifted: false },
      { ...bounced, can_be_lifted: true },
    ],
    total: 3,
    limit: 50,
    offset: 0,
  });
  expect(await list('limit=1&offset=1')).toMatchObject({ entries: [spam], total: 3 });
  for (const query of [`person_id=${spam.person_id}`, 'email=SPAM@example.com', 'reason=complained'])
    expect(await list(query)).toMatchObject({ entries: [spam], total: 1 });
});

test('lifting an entry lets mail go there again, and its reason is in the audit log', async () => {
  const org = await world().newOrg();
  const entry = await blacklisted(org, 'full@example.com', 'bounced');
  expect(await reach(org)).toBe(0);
  const answer = await org.rest(`POST /v1/blacklist/${entry.id}/lift`, {
    reason: ' Mailbox was full, ticket 7 ',
  });
  const { id: blacklist_entry_id, person_id } = entry;
  expect(answer).toMatchObject({ status: 200, body: { lifted: true, blacklist_entry_id, person_id } });
  expect(await reach(org)).toBe(1);
  expect(await auditOf(world(), org, 'lift_blacklist_entry')).toEqual([
    {
      ids: { blacklist_entry_id, person_id },
      reason: 'Mailbox was full, ticket 7',
      actor_id: org.keyId,
    },
  ]);
  const again = await org.rest(`POST /v1/blacklist/${entry.id}/lift`, { reason: 'again' });
  expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('a complaint and an opt-out of the person are not lifted', async () => {
  const org = await world().newOrg();
  const spam = await blacklisted(org, 'spam@example.com', 'complained');
  const refused = await org.rest(`POST /v1/blacklist/${spam.id}/lift`, { reason: 'They are nice' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'complaint_stands' } });
  expect((await org.rest('GET /v1/blacklist')).body.total).toBe(1);
  const left = await blacklisted(org, 'left@example.com', 'bounced');
  await org.rest(`PATCH /v1/people/${left.person_id}/opt-outs`, { email_opt_out: true });
  expect((await org.rest(`POST /v1/blacklist/${left.id}/lift`, { reason: 'Works again' })).status).toBe(200);
  expect(await reach(org)).toBe(0);
  expect(await auditOf(world(), org, 'lift_blacklist_entry')).toHaveLength(1);
});

test.each([{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(201) }])(
  'lifting with %j is refused: a reason is needed',
  async (sent) => {
    const org = await world().newOrg();
    const entry = await blacklisted(org, 'a@example.com', 'bounced');
    const answer = await org.rest(`POST /v1/blacklist/${entry.id}/lift`, sent);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await org.rest('GET /v1/blacklist')).body.total).toBe(1);
  },
);

test('reading needs people.read, lifting people.write, and another organization finds nothing', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const entry = await blacklisted(org, 'a@example.com', 'bounced');
  const lift = `POST /v1/blacklist/${entry.id}/lift`;
  const [reader, writer] = [
    await world().newKey(org, ['people.read']),
    await world().newKey(org, ['people.write']),
  ];
  expect((await writer.rest('GET /v1/blacklist')).status).toBe(403);
  expect((await reader.rest(lift, { reason: 'x' })).status).toBe(403);
  expect((await other.rest(lift, { reason: 'x' })).status).toBe(404);
  expect((await other.rest('GET /v1/blacklist?email=a@example.com')).body.total).toBe(0);
  expect((await other.rest(`GET /v1/blacklist?person_id=${entry.person_id}`)).status).toBe(404);
  expect((await reader.rest('GET /v1/blacklist')).body.total).toBe(1);
});
