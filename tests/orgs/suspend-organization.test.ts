import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { auditOf } from '../support/audit.ts';
import { setLayout } from '../support/broadcast.ts';
import { waysTo } from '../support/call-operation.ts';
import { contentsOf } from '../support/org-contents.ts';
import { resume, suspend } from '../support/org-state.ts';
import { sampleInput } from '../support/sample-input.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { follow, hitsOf, newPeople, sendTo, totalsOf } from '../tracking/sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
let person: string;
beforeAll(async () => {
  org = await world().newOrg();
  person = await org.person({ email: 'ann@example.com' });
  await suspend(world(), org);
});

const catalogue: readonly AnyOperation[] = operations;
const writes = catalogue.filter(({ effect, evenSuspended }) => effect !== 'read' && evenSuspended !== true);
const soon = { timeout: 10_000, interval: 50 };

test('a suspended organization is told why every write is refused, on every face, and nothing is written', async () => {
  const state = async () => (await org.rest('POST /v1/segments', {})).body.code;
  await expect.poll(state, soon).toBe('organization_suspended'); // a key is believed for half a second
  const before = await contentsOf(world().admin, org);
  for (const operation of writes) {
    for (const way of waysTo(operation)) {
      const { status, body } = await way.call(org, sampleInput(operation, way.input, 'few'));
      expect([way.name, status, body]).toMatchObject([
        way.name,
        403,
        { code: 'organization_suspended', type: '/docs/errors/organization_suspended' },
      ]);
    }
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  const { body } = await org.rest('POST /v1/segments', {});
  expect(body.detail).toBe(
    'This organization is suspended: It did not pay. Nothing is sent and nothing changes until whoever runs this ' +
      `installation resumes it: rostrum org resume ${org.id}. Reading and opting people out still work.`,
  );
  expect(
    (await org.rest('POST /v1/imports/csv?name=x', 'a\nb', { 'content-type': 'text/csv' })).body.code,
  ).toBe('organization_suspended');
});

test('it still reads and opts people out', async () => {
  expect((await org.rest(`GET /v1/people/${person}`)).status).toBe(200);
  expect((await org.tool('list_people')).isError).toBe(false);
  const out = await org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
  expect(out).toMatchObject({ status: 200, body: { opt_outs: { email_opt_out: true } } });
});

test('its messages can still be opened and unsubscribed from', async () => {
  const other = await world().newOrg();
  await setLayout(other);
  const [reader = ''] = await newPeople(other, 1);
  const sent = await sendTo(world(), other, [reader]);
  await suspend(world(), other);
  const { urls } = sent.messages[0]!;
  expect((await follow(urls.open)).status).toBe(200);
  expect((await fetch(urls.unsubscribe, { method: 'POST' })).status).toBe(200);
  expect(await totalsOf(world(), sent)).toMatchObject({ unsubscribed: 1 });
  const { body } = await other.rest(`GET /v1/people/${reader}/opt-outs`);
  expect(body.opt_outs.email_opt_out).toBe(true);
  await expect.poll(async () => (await hitsOf(world(), sent)).length, soon).toBe(1);
});

test('suspending and resuming are audited with who did it and why, and are done once', async () => {
  const other = await world().newOrg();
  expect(await resume(world(), other)).toBe(false);
  expect([await suspend(world(), other), await suspend(world(), other)]).toEqual([true, false]);
  expect([await resume(world(), other), await resume(world(), other)]).toEqual([true, false]);
  expect(await auditOf(world(), other, 'suspend_organization')).toEqual([
    { ids: { org_id: other.id }, reason: 'It did not pay.', actor_id: 'operator' },
  ]);
  expect(await auditOf(world(), other, 'resume_organization')).toEqual([
    { ids: { org_id: other.id }, reason: null, actor_id: 'operator' },
  ]);
  await expect
    .poll(async () => (await other.rest('POST /v1/people/identify', { email: 'b@example.com' })).status)
    .toBe(200);
});
