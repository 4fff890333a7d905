import { afterAll, expect, test, vi } from 'vitest';
import { startDns } from '../support/dns.ts';
import { useWorld } from '../support/world.ts';
import {
  allFound,
  getDomain,
  newDomain,
  publishAll,
  recordOf,
  statuses,
  type Answered,
} from './sending-domain.ts';

const dns = await startDns();
afterAll(() => dns.stop());
const world = useWorld({
  engine: true,
  env: { DNS_SERVERS: dns.servers, MAIL_RETURN_PATH_HOST: 'bounce.mail.test' },
});

const soon = { timeout: 30_000, interval: 100 };

const outboxOf = async (domain: Answered): Promise<unknown[]> =>
  (await world().admin.query("select 1 from outbox where payload ->> 'domain_id' = $1", [domain.id])).rows;

test('SDR-001 SDR-002 from create_sender over published records and a check to a sender that is ready', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'whole.acme.test');
  expect(made).toMatchObject({ checking: true, checked_at: null, verified: false });
  // Asked for by create_sender itself.
  await vi.waitFor(async () => {
    expect(await getDomain(org, made.id)).toMatchObject({ checking: false, verified: false });
  }, soon);
  await publishAll(dns, made);
  const asked = await org.rest(`POST /v1/sending-domains/${made.id}/check`, {});
  expect(asked).toMatchObject({
    status: 200,
    body: { sending_domain: { id: made.id, checking: true, verified: false } },
  });
  await vi.waitFor(async () => {
    const { senders } = (await org.rest('GET /v1/senders')).body;
    expect(senders).toMatchObject([{ ready: true, not_ready_reason: null, domain: 'whole.acme.test' }]);
  }, soon);
  expect(statuses(await getDomain(org, made.id))).toEqual(allFound);
  // Logged once the engine has it in writing that the check was made, which may be after we see what it found.
  await vi.waitFor(() => {
    const lines = world().logLines.filter((line) => line.includes('a sending domain was verified'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ org_id: org.id, domain_id: made.id }]);
  }, soon);
});

test('a domain that loses its standing is logged by its ids alone', async () => {
  const org = await world().newOrg();
  const made = await newDomain(org, 'losing.acme.test');
  await publishAll(dns, made);
  await org.rest(`POST /v1/sending-domains/${made.id}/check`, {});
  await vi.waitFor(async () => expect((await getDomain(org, made.id)).verified).toBe(true), soon);
  await dns.withdraw(recordOf(made, 'ownership').host);
  await org.rest(`POST /v1/sending-domains/${made.id}/check`, {});
  await vi.waitFor(async () => expect((await getDomain(org, made.id)).verified).toBe(false), soon);
  await vi.waitFor(() => {
    const lines = world().logLines.filter((line) => line.includes('lost its standing'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { org_id: org.id, domain_id: made.id, level: 40 },
    ]);
  }, soon);
  expect(world().logLines.filter((line) => line.includes('acme.test'))).toEqual([]);
});

test('a domain that is deleted before its check is no trouble', async () => {
  const org = await world().newOrg();
  const { status, body } = await org.rest('POST /v1/senders', { name: 'News', email: 'a@gone.acme.test' });
  expect(status).toBe(201);
  await org.rest(`DELETE /v1/senders/${body.sender.id}`);
  await org.rest(`DELETE /v1/sending-domains/${body.sending_domain.id}`);
  await vi.waitFor(async () => expect(await outboxOf(body.sending_domain)).toEqual([]), soon);
  const next = await newDomain(org, 'after.acme.test');
  await vi.waitFor(async () => expect((await getDomain(org, next.id)).checked_at).not.toBeNull(), soon);
});
