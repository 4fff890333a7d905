import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

// Values that could be found nowhere by chance.
const email = 'zyxemail-4711@example.com';
const phone = '+4915599471147';
const name = 'Zyxfirstname';
const surname = 'Zyxlastname';
const externalId = 'zyxexternal-4711';
const value = 'zyxvalue-4711';
const reason = 'zyxreason-4711';
const telling = [email, 'zyxemail', phone, '15599471147', name, surname, externalId, value, reason];

const spoken = (text: string): string[] =>
  telling.filter((word) =>
    [word, encodeURIComponent(word)].some((form) => text.toLowerCase().includes(form.toLowerCase())),
  );

async function useEverything(org: TestOrg): Promise<void> {
  await org.rest('POST /v1/property-configs', { key: 'nickname', name: 'Nickname', type: 'string' });
  const person_id = await org.person({
    email,
    phone,
    external_user_id: externalId,
    first_name: name,
    last_name: surname,
    custom_properties: { nickname: value },
  });
  await org.tool('set_person_property', { person_id, key: 'nickname', value });
  await org.rest(`PUT /v1/people/${person_id}/properties/nickname`, { value });
  await org.rest(`GET /v1/people?email=${encodeURIComponent(email)}&external_user_id=${externalId}`);
  await org.rest(`GET /v1/people/search?query=${encodeURIComponent(phone)}`);
  await org.rest('POST /v1/people/search', { query: email });
  await org.tool('search_people', { query: name });
  const identifier = { identifier_type: 'full_name', identifier_value: `${name} ${surname}` };
  await org.tool('add_identifier', { person_id, ...identifier });
  const segment = { name: value, filters: [{ property: 'primary_email', op: 'eq', value: email }] };
  const { body } = await org.rest('POST /v1/segments', segment);
  const segment_id: string = body.segment.id;
  const changes = { description: name, filters: [{ property: 'first_name', op: 'contains', value: name }] };
  await org.tool('update_segment', { segment_id, ...changes });
  await org.rest('POST /v1/segments/preview', { filters: changes.filters });
  await org.tool('list_segment_members', { segment_id });
  await org.rest(`DELETE /v1/segments/${segment_id}`);
  await org.rest(`PUT /v1/people/${person_id}/external-id`, { external_user_id: `${externalId}-2` });
  await org.rest(`DELETE /v1/people/${person_id}?reason=${reason}`);
}

/** The same values where they do not belong. */
async function useWrongly(org: TestOrg): Promise<void> {
  await org.rest(`GET /v1/people/${encodeURIComponent(email)}`);
  await org.rest(`GET /v1/${externalId}/${encodeURIComponent(email)}`);
  await org.rest(`GET /v1/people/%zz${externalId}`);
  await org.rest(`GET /v1/people?${externalId}=${value}`);
  await org.rest('POST /v1/people/identify', `{"email":"${email}"`);
  await org.rest('POST /v1/people/identify', { email, [value]: name });
  await org.rest('POST /v1/people/identify', { email, custom_properties: { [value]: name } });
  await org.rest('POST /v1/people/identify', { email: `not an address ${email}` });
  await org.rest('POST /v1/people/identify', { email }, { 'idempotency-key': email, authorization: email });
  await org.rest('POST /v1/people/identify', { email }, { 'idempotency-key': email });
  await org.tool('identify_person', { email, [value]: name });
  await org.tool('list_people', { health_band: value });
  const wrong = { name, filters: [{ custom_property_key: value, op: 'eq', value: email }] };
  await org.tool('create_segment', wrong);
  await org.rest('POST /v1/segments', wrong);
  await org.rpc(value, { name: email });
  await org.rpc('tools/call', { name: value, arguments: { email } });
}

test('no log line holds an address, a phone, a name or a value, however they came in', async () => {
  const org = await world().newOrg();
  await useEverything(org);
  await useWrongly(org);
  const lines = world().logLines;
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => spoken(line).length > 0)).toEqual([]);
});

test('nor does one about a fault whose message quotes them', async () => {
  const org = await world().newOrg();
  await world().admin.query(`
    create function quote_person() returns trigger language plpgsql as $$
    begin raise exception E'cannot keep %\\n  and %\\n at %', new.first_name, new.last_name, new.primary_email; end $$;
    create trigger quoting before insert or update on people for each row execute function quote_person()`);
  try {
    const sent = { email, first_name: name, last_name: surname };
    const overRest = await org.rest('POST /v1/people/identify', sent);
    const overTool = await org.tool('identify_person', sent);
    for (const { body } of [overRest, overTool]) {
      expect(body).toMatchObject({ status: 500, code: 'internal' });
      expect(spoken(JSON.stringify(body))).toEqual([]);
      const lines = world().logLines.filter((line) => line.includes(body.request_id));
      expect(lines.join('')).toContain('P0001');
      expect(spoken(lines.join(''))).toEqual([]);
    }
  } finally {
    await world().admin.query('drop function quote_person cascade');
  }
});

test('the audit log and the outbox hold ids, and of what callers wrote only the reason of a deletion', async () => {
  const org = await world().newOrg();
  await useEverything(org);
  const { rows } = await world().admin.query<{ text: string; reason: string | null }>(
    `select a::text as text, reason from audit_log a where org_id = $1
     union all select o::text, null from outbox o where org_id = $1`,
    [org.id],
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter((row) => row.reason === null && spoken(row.text).length > 0)).toEqual([]);
  const deletion = rows.filter((row) => row.reason !== null);
  expect(deletion.map((row) => spoken(row.text))).toEqual([[reason]]);
});
