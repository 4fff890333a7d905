import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newDraft, newWebinar, plan, register, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { readyText, type Json } from './plan-support.ts';

const world = useWorld();

type Step = (org: TestOrg, person: string) => Promise<unknown>;

const notContact =
  (type: string): Step =>
  async (org, person) => {
    const { identifiers } = (await org.rest(`GET /v1/people/${person}/identifiers`)).body;
    const { id } = identifiers.find((one: Json) => one.identifier_type === type);
    const flag = { is_contact_method: false };
    expect((await org.rest(`PATCH /v1/people/${person}/identifiers/${id}`, flag)).status).toBe(200);
  };

const optOut =
  (fields: Json): Step =>
  (org, person) =>
    org.rest(`PATCH /v1/people/${person}/opt-outs`, fields);

const blacklist =
  (reason: string, of: 'primary' | 'another' = 'primary'): Step =>
  async (org, person) => {
    const { body } = await org.rest(`GET /v1/people/${person}`);
    const email = of === 'primary' ? body.person.primary_email : `another-${person}@example.com`;
    await world().admin.query(
      `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, now())`,
      [org.id, person, email, reason],
    );
  };

const addAddress =
  (flags: Json): Step =>
  (org, person) =>
    org.rest(`POST /v1/people/${person}/identifiers`, {
      identifier_type: 'email',
      identifier_value: `another-${person}@example.com`,
      ...flags,
    });

const emailOut = optOut({ email_opt_out: true });
const smsOut = optOut({ sms_opt_out: true });

const emails: [string, Step[], string | undefined][] = [
  ['nothing against it', [], undefined],
  ['an address that may not be written to', [notContact('email')], 'no_address'],
  ['that and an opt-out', [notContact('email'), emailOut], 'no_address'],
  ['that and a complaint', [notContact('email'), blacklist('complained')], 'no_address'],
  ['all three', [notContact('email'), emailOut, blacklist('bounced')], 'no_address'],
  ['an opt-out', [emailOut], 'opted_out'],
  ['an opt-out taken back', [emailOut, optOut({ email_opt_out: false })], undefined],
  ['an opt-out and a bounce', [emailOut, blacklist('bounced')], 'opted_out'],
  ['an opt-out of texts', [smsOut], undefined],
  ['a bounce', [blacklist('bounced')], 'bounced'],
  ['a complaint', [blacklist('complained')], 'complained'],
  ['a place on the blacklist', [blacklist('blacklisted')], 'blacklisted'],
  ['a bounce of another address', [addAddress({}), blacklist('bounced', 'another')], undefined],
  [
    'a new primary that bounced',
    [addAddress({ is_primary_for_type: true, is_contact_method: true }), blacklist('bounced')],
    'bounced',
  ],
  [
    'a bounce of what was the primary',
    [blacklist('bounced'), addAddress({ is_primary_for_type: true, is_contact_method: true })],
    undefined,
  ],
  ['a new primary that may not be written to', [addAddress({ is_primary_for_type: true })], undefined],
  [
    'a new primary that may not be written to, and a bounce of what was the primary',
    [blacklist('bounced'), addAddress({ is_primary_for_type: true })],
    'bounced',
  ],
];

test.each(emails)('PLN-017 by email, %s', async (_, steps, reason) => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const everyone = await readyDraft(world(), org);
  const { subject, html, sender } = everyone;
  const fields = { audience: 'webinar', webinar_id, subject, html, sender_id: sender.id };
  const invitation = await newDraft(org, fields);
  const reader = 1; // who came with the draft
  const person = await org.person({ email: `p-${randomUUID()}@example.com`, phone: '+15550100123' });
  await register(world(), org, webinar_id, person);
  for (const step of steps) await step(org, person);
  const excluded = reason === undefined ? [] : [{ reason, count: 1 }];
  const reached = reason === undefined ? 1 : 0;
  const { audience } = await plan(org, everyone.id);
  expect(audience).toMatchObject({ recipients: reader + 1, reachable: reader + reached, excluded });
  const planned = await plan(org, invitation.id);
  expect(planned.audience).toMatchObject({ recipients: 1, reachable: reached, excluded });
  expect(planned.preview?.person_id).toBe(reason === undefined ? person : undefined);
});

const texts: [string, Json, Step[], string | undefined][] = [
  ['a number that is one', { phone: '+15550100123' }, [], undefined],
  ['a number with signs for the eye', { phone: '+49 (151) 234-567.8' }, [], undefined],
  ['no phone at all', { email: 'ada@example.com' }, [], 'no_address'],
  ['no phone and an opt-out', { email: 'ada@example.com' }, [smsOut], 'no_address'],
  ['a phone that may not be written to', { phone: '+15550100123' }, [notContact('phone')], 'no_address'],
  ['that and an opt-out', { phone: '+15550100123' }, [notContact('phone'), smsOut], 'no_address'],
  ['an opt-out', { phone: '+15550100123' }, [smsOut], 'opted_out'],
  ['an opt-out and a number that is none', { phone: '555' }, [smsOut], 'opted_out'],
  ['a number without its country', { phone: '0151 2345678' }, [], 'invalid_address'],
  ['a number too short', { phone: '+123456' }, [], 'invalid_address'],
  ['the shortest number', { phone: '+1234567' }, [], undefined],
  ['the longest number', { phone: '+123456789012345' }, [], undefined],
  ['a number too long', { phone: '+1234567890123456' }, [], 'invalid_address'],
  ['words for a number', { phone: 'call me' }, [], 'invalid_address'],
  ['an opt-out of email', { phone: '+15550100123' }, [emailOut], undefined],
  [
    'an email address that bounced',
    { phone: '+15550100123', email: 'ada@example.com' },
    [blacklist('bounced')],
    undefined,
  ],
];

test.each(texts)('PLN-017 by text, %s', async (_, fields, steps, reason) => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const { id } = await readyText(world(), org, { webinar_id });
  const person = await org.person(fields);
  await register(world(), org, webinar_id, person);
  for (const step of steps) await step(org, person);
  const planned = await plan(org, id);
  expect(planned.audience).toMatchObject({
    recipients: 1,
    reachable: reason === undefined ? 1 : 0,
    excluded: reason === undefined ? [] : [{ reason, count: 1 }],
  });
  expect(planned.preview?.person_id).toBe(reason === undefined ? person : undefined);
});

test('PLN-017 everyone is every person with an email address, also one that may not be written to', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const start = (await plan(org, id)).audience.recipients;
  await org.person({ phone: '+15550100123' });
  await org.person({ external_user_id: 'crm-1' });
  expect((await plan(org, id)).audience.recipients).toBe(start);
  const person = await org.person({ email: 'ada@example.com' });
  await notContact('email')(org, person);
  expect((await plan(org, id)).audience).toMatchObject({
    recipients: start + 1,
    reachable: start,
    excluded: [{ reason: 'no_address', count: 1 }],
  });
});
