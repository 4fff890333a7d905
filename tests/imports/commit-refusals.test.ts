import { expect, test } from 'vitest';
import { spread } from '../support/spread.ts';
import { useWorld } from '../support/world.ts';
import { refusedIn, type Arranged, type Change } from './previewed.ts';

const world = useWorld();
const refusedAfter = (change: Change) => refusedIn(world(), change);
const identify = ({ org }: Arranged, fields: Record<string, unknown>) => org.person(fields);

test.for(
  spread<[string, Change]>(
    [
      ['is renamed', (at) => identify(at, { email: 'ann@example.com', first_name: 'Ann' })],
      ['gains an identifier', (at) => identify(at, { email: 'ann@example.com', anonymous_id: 'a1' })],
      [
        'gains an identifier of the file',
        (at) => identify(at, { email: 'ann@example.com', phone: '+15550007777' }),
      ],
      [
        'is merged into another',
        (at) => identify(at, { external_user_id: 'x1', email: 'stranger@example.com' }),
      ],
      ['takes another in', (at) => identify(at, { email: 'bob@example.com', external_user_id: 'x1' })],
      ['is deleted', ({ org, ann }) => org.rest(`DELETE /v1/people/${ann}`)],
      [
        'loses an identifier',
        async ({ org, ann }) => {
          const { body } = await org.rest(`GET /v1/people/${ann}/identifiers`);
          const { id } = body.identifiers.find(
            (one: { identifier_value: string }) => one.identifier_value === 'x1',
          );
          const { status } = await org.rest(`DELETE /v1/people/${ann}/identifiers/${id}`);
          expect(status).toBe(200);
        },
      ],
    ],
    4,
  ),
)('IMP-069 a commit is refused, writing nothing, when a matched person %s', async ([, change]) => {
  expect(await refusedAfter(change)).toContain('/people');
});

test('IMP-069 a commit is refused when somebody new holds an identifier of the file', async () => {
  expect(await refusedAfter((at) => identify(at, { email: 'new@example.com' }))).toEqual(['/people']);
});

test('IMP-069 a commit is refused when a matched person holds another identifier of the file, however it came there', async () => {
  const drifted = await refusedAfter(({ org, bob }) =>
    world().admin.query(
      `insert into identifiers (org_id, id, person_id, type, value, created_at)
       values ($1, gen_random_uuid(), $2, 'phone', '+15550007777', now())`,
      [org.id, bob],
    ),
  );
  expect(drifted).toEqual(['/people']);
});

test.for(
  spread<[string, Change]>(
    [
      [
        'of a matched person changes',
        ({ org, ann }) => org.rest(`PUT /v1/people/${ann}/properties/tier`, { value: 'tin' }),
      ],
      ['is cleared', ({ org, ann }) => org.rest(`PUT /v1/people/${ann}/properties/tier`, { value: null })],
      ['is set first', ({ org, bob }) => org.rest(`PUT /v1/people/${bob}/properties/tier`, { value: 'tin' })],
    ],
    2,
  ),
)('IMP-069 a commit is refused, writing nothing, when a mapped value %s', async ([, change]) => {
  expect(await refusedAfter(change)).toEqual(['/property_values']);
});

test.for(
  spread<[string, Change]>(
    [
      [
        'out of email',
        ({ org, ann }) => org.rest(`PATCH /v1/people/${ann}/opt-outs`, { email_opt_out: true }),
      ],
      ['out of texts', ({ org, ann }) => org.rest(`PATCH /v1/people/${ann}/opt-outs`, { sms_opt_out: true })],
      ['back in', ({ org, bob }) => org.rest(`PATCH /v1/people/${bob}/opt-outs`, { sms_opt_out: false })],
    ],
    2,
  ),
)('IMP-069 a commit is refused, writing nothing, when a matched person opts %s', async ([, change]) => {
  expect(await refusedAfter(change)).toEqual(['/opt_outs']);
});

test('IMP-069 a commit is refused when an address it attaches comes to be suppressed', async () => {
  const drifted = await refusedAfter(async (at) => {
    const person = await identify(at, { email: 'new@example.com' });
    await at.org.rest(`PATCH /v1/people/${person}/opt-outs`, { email_opt_out: true });
    await at.org.rest(`DELETE /v1/people/${person}?drop_suppression=true`);
  });
  expect(drifted).toEqual(['/opt_outs']);
});

test('IMP-069 everything that changed is named at once', async () => {
  const drifted = await refusedAfter(async (at) => {
    await identify(at, { email: 'ann@example.com', first_name: 'Ann' });
    await at.org.rest(`PUT /v1/people/${at.ann}/properties/tier`, { value: 'tin' });
    await at.org.rest(`PATCH /v1/people/${at.bob}/opt-outs`, { email_opt_out: true });
  });
  expect(drifted).toEqual(['/people', '/property_values', '/opt_outs']);
});
