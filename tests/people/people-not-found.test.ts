import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('PPL-042 get_person needs a person_id that is a uuid', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ada@example.com' });
  for (const args of [{}, { person_id: null }, { person_id: 'ada@example.com' }, { person_id: '' }]) {
    const { isError, body } = await org.tool('get_person', args);
    expect({ isError, code: body.code, at: body.errors[0].pointer }).toEqual({
      isError: true,
      code: 'invalid_request',
      at: '/person_id',
    });
  }
  expect(await org.rest('GET /v1/people/not-a-uuid')).toMatchObject({ status: 400 });
});

test('PPL-043 a person of another organization is not found, just like one that never was', async () => {
  const [ours, theirs] = [await world().newOrg(), await world().newOrg()];
  const person_id = await theirs.person({ email: 'zoltan@example.com', first_name: 'Zoltan' });
  for (const id of [person_id, randomUUID()]) {
    const overRest = await ours.rest(`GET /v1/people/${id}`);
    expect(overRest).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(JSON.stringify(overRest.body)).not.toMatch(/zoltan/i);
    const overTool = await ours.tool('get_person', { person_id: id });
    expect(overTool).toMatchObject({ isError: true, body: { code: 'not_found', status: 404 } });
    expect(overTool.body.detail).toBe(overRest.body.detail);
    expect(overTool.body).not.toHaveProperty('merged_into');
  }
  expect((await theirs.rest(`GET /v1/people/${person_id}`)).body.person.first_name).toBe('Zoltan');
});

test('IDN-022 the id of a merged person is not found, and the refusal names the survivor on both faces', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email: 'ada@example.com' });
  const survivor = await org.person({ external_user_id: 'crm-1' });
  expect(await org.person({ external_user_id: 'crm-1', email: 'ada@example.com' })).toBe(survivor);
  const overRest = await org.rest(`GET /v1/people/${gone}`);
  expect(overRest).toMatchObject({ status: 404, body: { code: 'not_found', merged_into: survivor } });
  for (const tool of [
    'get_person',
    'get_opt_outs',
    'list_identifiers',
    'list_subscriptions',
    'delete_person',
  ]) {
    const refusal = await org.tool(tool, { person_id: gone });
    expect(refusal).toMatchObject({ isError: true, body: { code: 'not_found', merged_into: survivor } });
  }
  const { person } = (await org.rest(`GET /v1/people/${survivor}`)).body;
  expect(person).toMatchObject({ id: survivor, primary_email: 'ada@example.com' });
});
