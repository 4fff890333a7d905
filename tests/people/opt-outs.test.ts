import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

/** What both faces read; they must agree. */
async function read(org: TestOrg, person_id: string): Promise<unknown> {
  const overTool = await org.tool('get_opt_outs', { person_id });
  const overRest = await org.rest(`GET /v1/people/${person_id}/opt-outs`);
  expect(overRest).toMatchObject({ status: 200, body: overTool.body });
  return overTool.body;
}

const records = async (person: string): Promise<unknown[]> =>
  (await world().admin.query('select * from opt_outs where person_id = $1', [person])).rows;

test('OPT-002 OPT-003 a person without a record reads as both false', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'nobody@example.com' });
  expect(await read(org, person_id)).toEqual({ opt_outs: { email_opt_out: false, sms_opt_out: false } });
  expect(await records(person_id)).toEqual([]);
});

test('OPT-001 OPT-003 OPT-004 each of the two is stored as sent, true or false', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  for (const email_opt_out of [true, false]) {
    for (const sms_opt_out of [false, true]) {
      const opt_outs = { email_opt_out, sms_opt_out };
      const answer = await org.tool('set_opt_outs', { person_id, ...opt_outs });
      expect(answer).toMatchObject({ isError: false, body: { opt_outs } });
      expect(await read(org, person_id)).toEqual({ opt_outs });
    }
  }
});

test('OPT-004 OPT-005 over REST one is set and the other keeps its value', async () => {
  const org = await world().newOrg();
  const id = await org.person({ email: 'ada@example.com' });
  const steps = [
    ['PATCH', { email_opt_out: true }, { email_opt_out: true, sms_opt_out: false }],
    ['PUT', { sms_opt_out: true }, { email_opt_out: true, sms_opt_out: true }],
    ['PUT', { email_opt_out: false }, { email_opt_out: false, sms_opt_out: true }],
    ['PATCH', { sms_opt_out: false }, { email_opt_out: false, sms_opt_out: false }],
  ] as const;
  for (const [method, sent, opt_outs] of steps) {
    const answer = await org.rest(`${method} /v1/people/${id}/opt-outs`, sent);
    expect(answer).toMatchObject({ status: 200, body: { opt_outs } });
    expect(await read(org, id)).toEqual({ opt_outs });
  }
});

test('OPT-005 two calls at once that each set one lose neither', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < 5; round++) {
    const person_id = await org.person({ email: `ada${round}@example.com` });
    await Promise.all([
      org.tool('set_opt_outs', { person_id, email_opt_out: true }),
      org.tool('set_opt_outs', { person_id, sms_opt_out: true }),
    ]);
    expect(await read(org, person_id)).toEqual({ opt_outs: { email_opt_out: true, sms_opt_out: true } });
  }
});

test('OPT-004 opting out concerns one person alone', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const other = await org.person({ email: 'other@example.com' });
  await org.tool('set_opt_outs', { person_id, email_opt_out: true, sms_opt_out: true });
  expect(await read(org, other)).toEqual({ opt_outs: { email_opt_out: false, sms_opt_out: false } });
});

test('OPT-006 neither flag, or one that is no boolean, is refused and changes nothing', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.tool('set_opt_outs', { person_id, email_opt_out: true });
  const before = await records(person_id);
  const wrong = ['true', 'yes', 1, 0, null, {}, []];
  for (const sent of [
    {},
    ...wrong.flatMap((value) => [{ email_opt_out: value }, { sms_opt_out: value }]),
    { email_opt_out: false, sms_opt_out: 'no' },
    { email_opt_out: false, marketing_opt_out: true },
  ]) {
    const overTool = await org.tool('set_opt_outs', { person_id, ...sent });
    expect(overTool).toMatchObject({ isError: true, body: { code: 'invalid_request', status: 400 } });
    const overRest = await org.rest(`PATCH /v1/people/${person_id}/opt-outs`, sent);
    expect(overRest).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  }
  expect(await records(person_id)).toEqual(before);
});

test('OPT-003 OPT-004 both need a person of the organization', async () => {
  const org = await world().newOrg();
  for (const tool of ['get_opt_outs', 'set_opt_outs']) {
    const flag = tool === 'set_opt_outs' ? { email_opt_out: true } : {};
    expect(await org.tool(tool, flag)).toMatchObject({ isError: true, body: { code: 'invalid_request' } });
    const unknown = randomUUID();
    expect(await org.tool(tool, { person_id: unknown, ...flag })).toMatchObject({
      isError: true,
      body: { code: 'not_found' },
    });
    expect(await records(unknown)).toEqual([]);
  }
});

test('OPT-004 somebody deleted while opted out and opted in again on return stays opted in', async () => {
  const org = await world().newOrg();
  const first = await org.person({ email: 'ada@example.com' });
  await org.tool('set_opt_outs', { person_id: first, email_opt_out: true });
  await org.rest(`DELETE /v1/people/${first}?drop_suppression=true`);
  const second = await org.person({ email: 'ada@example.com' });
  expect(await read(org, second)).toEqual({ opt_outs: { email_opt_out: true, sms_opt_out: false } });
  await org.tool('set_opt_outs', { person_id: second, email_opt_out: false });
  await org.rest(`DELETE /v1/people/${second}`);
  const third = await org.person({ email: 'ada@example.com' });
  expect(await read(org, third)).toEqual({ opt_outs: { email_opt_out: false, sms_opt_out: false } });
});
