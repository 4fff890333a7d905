import { expect, test } from 'vitest';
import { getDomain, newDomain, newSender } from './sending-domain.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('sending domains are listed oldest first, in pages, each as it is read by itself', async () => {
  const org = await world().newOrg();
  const made = [];
  for (const domain of ['c.example', 'a.example', 'b.example']) made.push(await newDomain(org, domain));
  const { body } = await org.rest('GET /v1/sending-domains');
  expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
  expect(body.sending_domains.map(({ domain }: { domain: string }) => domain)).toEqual([
    'c.example',
    'a.example',
    'b.example',
  ]);
  expect(body.sending_domains[1]).toEqual(await getDomain(org, made[1]!.id));
  const page = await org.rest('GET /v1/sending-domains?limit=1&offset=2');
  expect(page.body).toEqual({ sending_domains: [body.sending_domains[2]], total: 3, limit: 1, offset: 2 });
});

test('check_sending_domain answers the domain as it stands, with checking true', async () => {
  const org = await world().newOrg();
  const { id } = await newDomain(org, 'acme.example');
  await world().admin.query(
    `update sending_domains set checked_at = now() - interval '1 hour', next_check_at = now() + interval '1 day',
       records = '{"ownership": {"status": "missing", "detail": null}}' where id = $1`,
    [id],
  );
  const before = await getDomain(org, id);
  expect(before.checking).toBe(false);
  const asked = await org.rest(`POST /v1/sending-domains/${id}/check`);
  expect(asked).toMatchObject({ status: 200, body: { sending_domain: { ...before, checking: true } } });
  expect((await getDomain(org, id)).checking).toBe(true);
  const { rows } = await world().admin.query(
    `select 1 from audit_log where org_id = $1 and operation = 'check_sending_domain' and ids = $2`,
    [org.id, JSON.stringify({ domain_id: id })],
  );
  expect(rows).toHaveLength(1);
});

test('asking again and again asks for one check after another, and never puts one off', async () => {
  const org = await world().newOrg();
  const { id } = await newDomain(org, 'eager.example');
  const due = async () =>
    (await world().admin.query('select next_check_at from sending_domains where id = $1', [id])).rows[0];
  const first = await due();
  for (let n = 0; n < 3; n++) await org.rest(`POST /v1/sending-domains/${id}/check`, {});
  expect(await due()).toEqual(first);
});

test('a domain that senders use is not deleted, and without them it is, with its key', async () => {
  const org = await world().newOrg();
  const { id: sender, domain } = await newSender(org, 'news@acme.example');
  const path = `/v1/sending-domains/${domain.id}`;
  const before = await contentsOf(world().admin, org);
  const refused = await org.rest(`DELETE ${path}`);
  expect(asProblem(refused)).toEqual(problem(409, 'still_referenced', path));
  expect(refused.body.detail).toBe(
    'A sender still sends from acme.example. Delete every sender at it first.',
  );
  expect(await contentsOf(world().admin, org)).toEqual(before);
  await org.rest(`DELETE /v1/senders/${sender}`);
  expect(await org.rest(`DELETE ${path}`)).toMatchObject({
    status: 200,
    body: { deleted: true, domain_id: domain.id },
  });
  expect(asProblem(await org.rest(`GET ${path}`))).toEqual(problem(404, 'not_found', path));
  const again = await newDomain(org, 'acme.example');
  expect(again.records[1]!.value).not.toBe(domain.records[1]!.value);
});

test('a sender made while its domain is deleted leaves no sender without a domain', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < (isLong ? 5 : 2); round++) {
    const { id, domain } = await newSender(org, `a${round}@race.example`);
    await org.rest(`DELETE /v1/senders/${id}`);
    const [made, deleted] = await Promise.all([
      org.rest('POST /v1/senders', { name: 'B', email: `b${round}@race.example` }),
      org.rest(`DELETE /v1/sending-domains/${domain.id}`),
    ]);
    expect(made.status).toBe(201);
    expect([200, 409]).toContain(deleted.status);
    expect((await getDomain(org, made.body.sending_domain.id)).domain).toBe('race.example');
    await org.rest(`DELETE /v1/senders/${made.body.sender.id}`);
    await org.rest(`DELETE /v1/sending-domains/${made.body.sending_domain.id}`);
  }
});

test('an organization that is deleted takes its senders, domains, layout and number along', async () => {
  const org = await world().newOrg();
  await newDomain(org, 'acme.example');
  await org.rest('PUT /v1/email-layout', { postal_address: '1 Main St' });
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  await world().admin.query('delete from organizations where id = $1', [org.id]);
  for (const table of ['senders', 'sending_domains', 'email_layouts', 'sms_numbers']) {
    const { rows } = await world().admin.query(`select 1 from ${table} where org_id = $1`, [org.id]);
    expect(rows).toEqual([]);
  }
});
