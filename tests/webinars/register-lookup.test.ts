import { expect, test } from 'vitest';
import { registerForWebinar } from '../../src/domain/webinars/registrations/register-for-webinar.ts';
import { waysTo } from '../support/call-operation.ts';
import { countOf, createWebinar, registerFor, timelineOf } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const ways = waysTo(registerForWebinar);

const values = {
  user_id: 'customer-1',
  email: 'ann@example.com',
  phone: '+15550100',
  anonymous_id: 'visitor-1',
};
type Field = keyof typeof values;
/** What identify calls the same. */
const identified = (field: Field) => ({
  [field === 'user_id' ? 'external_user_id' : field]: values[field],
});

test.each([
  ['REG-034', 'user_id', 'email'],
  ['REG-035', 'email', 'phone'],
  ['REG-036', 'phone', 'anonymous_id'],
] as const)(
  '%s when %s and %s mean two people, the first decides and nobody is merged',
  async (_, first, second) => {
    for (const way of ways) {
      const org = await world().newOrg();
      const { id: webinar_id } = await createWebinar(org);
      const other = await org.person(identified(second));
      const meant = await org.person(identified(first));
      const { body } = await way.call(org, {
        webinar_id,
        user: { [second]: values[second], [first]: values[first] },
      });
      expect({ way: way.name, body }).toMatchObject({
        body: { org_user_id: meant, already_registered: false },
      });
      expect(await countOf(world(), org, 'people')).toBe(2);
      expect(await countOf(world(), org, 'merged_people')).toBe(0);
      const held = await org.rest(`GET /v1/people/${other}/identifiers`);
      expect(held.body.identifiers).toMatchObject([{ identifier_value: values[second] }]);
    }
  },
);

test('an identifier that somebody else holds stays there, and the timeline tells', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org);
  const other = await org.person({ phone: values.phone });
  const meant = await org.person({ email: values.email });
  const { registration_id } = await registerFor(org, webinar.id, {
    email: values.email,
    phone: values.phone,
  });
  expect(await timelineOf(org, meant, '$svc_identifier_conflict')).toMatchObject([
    {
      custom_properties: {
        webinar_id: webinar.id,
        registration_id,
        identifier_type: 'phone',
        held_by: other,
      },
    },
  ]);
  expect(await timelineOf(org, other)).toEqual([]);
});

test('REG-037 an identifier of lower priority is used when those above it match nobody, and they are attached', async () => {
  const fields = ['user_id', 'email', 'phone', 'anonymous_id'] as const;
  for (const way of ways) {
    for (const known of fields.slice(1)) {
      const org = await world().newOrg();
      const { id: webinar_id } = await createWebinar(org);
      const meant = await org.person(identified(known));
      const { body } = await way.call(org, { webinar_id, user: values });
      expect({ way: way.name, known, body }).toMatchObject({ body: { org_user_id: meant } });
      const held = await org.rest(`GET /v1/people/${meant}/identifiers`);
      expect(held.body.identifiers).toHaveLength(4);
      expect(await timelineOf(org, meant, '$svc_identifier_conflict')).toEqual([]);
    }
  }
});

test('TEN-019 the same email in two organizations is two people, in register and in attendance', async () => {
  const org = await world().newOrg();
  const other = await world().newOrg();
  const user = { email: values.email };
  const mine = await createWebinar(org);
  const theirs = await createWebinar(other);
  const a = await registerFor(org, mine.id, user);
  const b = await registerFor(other, theirs.id, user);
  expect(a.org_user_id).not.toBe(b.org_user_id);
  expect(await countOf(world(), org, 'people')).toBe(1);
  expect(await countOf(world(), other, 'people')).toBe(1);
  await org.rest('POST /v1/webinars/attendance', { webinar_id: mine.id, ...user });
  const { body } = await other.rest(`GET /v1/webinars/${theirs.id}/registrations`);
  expect(body.registrations).toMatchObject([{ attended: false, attendance_source: null }]);
  const identified = await org.rest('POST /v1/people/identify', user);
  expect(identified.body).toEqual({ person_id: a.org_user_id, created: false });
});

test('somebody who was deleted while opted out is opted out again when a form brings the address back', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org);
  const gone = await org.person({ email: values.email, phone: values.phone });
  await org.rest(`PATCH /v1/people/${gone}/opt-outs`, { email_opt_out: true });
  expect((await org.rest(`DELETE /v1/people/${gone}?drop_suppression=true`)).status).toBe(200);
  const { org_user_id } = await registerFor(org, webinar.id, { email: values.email });
  const { body } = await org.rest(`GET /v1/people/${org_user_id}/opt-outs`);
  expect(body.opt_outs).toMatchObject({ email_opt_out: true });
});
