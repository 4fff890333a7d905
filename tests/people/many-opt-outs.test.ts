import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const people = (org: TestOrg, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => org.person({ email: `p${n}@example.com` })));
const outOf = async (org: TestOrg, person: string) =>
  (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs;

test('OPT-004 many are opted out at once, and what that changed is taken back without touching the others', async () => {
  const org = await world().newOrg();
  const [a, b, c] = (await people(org, 3)) as [string, string, string];
  await org.rest(`PATCH /v1/people/${b}/opt-outs`, { email_opt_out: true, sms_opt_out: true });
  const asked = { person_ids: [a, b, c], channel: 'email' };
  const out = await org.rest('PATCH /v1/people/opt-outs', { ...asked, opt_out: true });
  expect(out).toMatchObject({ status: 200 });
  expect(out.body.changed.toSorted()).toEqual([a, c].toSorted());
  for (const one of [a, b, c]) expect(await outOf(org, one)).toMatchObject({ email_opt_out: true });
  expect(await outOf(org, b)).toMatchObject({ sms_opt_out: true });
  const [entry] = await auditOf(world(), org, 'set_many_opt_outs');
  expect(entry!.ids).toEqual({ person_ids: [a, c].toSorted() });
  await org.rest('PATCH /v1/people/opt-outs', {
    person_ids: out.body.changed,
    channel: 'email',
    opt_out: false,
  });
  expect(await Promise.all([a, b, c].map((one) => outOf(org, one)))).toEqual([
    { email_opt_out: false, sms_opt_out: false },
    { email_opt_out: true, sms_opt_out: true },
    { email_opt_out: false, sms_opt_out: false },
  ]);
});

test('nobody else is opted out: more than 200, none, and people of others are refused', async () => {
  const org = await world().newOrg();
  const other = await world().newOrg();
  const [mine] = await people(org, 1);
  const [theirs] = await people(other, 1);
  const send = (person_ids: readonly (string | undefined)[]) =>
    org.rest('PATCH /v1/people/opt-outs', { person_ids, channel: 'email', opt_out: true });
  expect((await send([])).status).toBe(400);
  expect((await send(Array.from({ length: 201 }, () => randomUUID()))).status).toBe(400);
  expect(await send([mine, theirs])).toMatchObject({ status: 404 });
  expect(await outOf(other, theirs!)).toMatchObject({ email_opt_out: false });
  expect(await outOf(org, mine!)).toMatchObject({ email_opt_out: false });
});
