// What the bad inputs of bad-input.ts once broke, kept one by one.
import { expect, test } from 'vitest';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('an email that grows past its length when it is lowercased is refused', async () => {
  const org = await world().newOrg();
  const person_id = await org.person({ email: 'ada@example.com' });
  const { body } = await org.rest(`GET /v1/people/${person_id}/identifiers`);
  const identifier_value = `${'İ'.repeat(300)}@example.com`;
  const before = await contentsOf(world().admin, org);
  const added = await org.rest(`POST /v1/people/${person_id}/identifiers`, {
    identifier_type: 'email',
    identifier_value,
  });
  const identifier_id = body.identifiers[0].id;
  const changed = await org.tool('update_identifier', { person_id, identifier_id, identifier_value });
  for (const refusal of [added.body, changed.body]) {
    expect(refusal).toMatchObject({
      status: 400,
      errors: [{ pointer: '/identifier_value', code: 'too_big' }],
    });
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('a tool call nested as deep as a body allows is refused', async () => {
  const org = await world().newOrg();
  const response = await fetch(`${org.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.secret}`, 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: -32_600 } });
  const deep: unknown = JSON.parse('['.repeat(50) + ']'.repeat(50));
  const answer = await org.tool('search_people', { query: deep });
  expect(answer.body).toMatchObject({ status: 400, errors: [{ code: 'too_deep' }] });
});
