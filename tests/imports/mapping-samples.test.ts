import { expect, test } from 'vitest';
import { addProperty, draftOf, map } from '../support/import.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

test('IMP-044 samples that do not fit are refused by column and row, without repeating them', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'seats', 'number');
  const mapping = {
    Mail: 'email',
    Name: 'first_name',
    Seats: { property: 'seats' },
    Active: { new_property: { key: 'active', name: 'Active', type: 'boolean' } },
    Consent: 'subscribed_to_emails',
    Rest: 'skip',
  };
  const good = {
    Mail: 'a@example.com',
    Name: 'Ana',
    Seats: '3',
    Active: 'true',
    Consent: 'yes',
    Rest: 'whatever',
  };
  const samples = [
    { ...good, Seats: 'private-1', Consent: 'private-2' },
    { ...good, Mail: 'private-3', Name: 'private-4'.repeat(30) },
    { ...good, Seats: ' ', Active: null },
    { ...good, Seats: '1,000', Active: 'private-5' },
  ];
  const { import_id } = await draftOf(org, Object.keys(mapping), samples);
  const refused = await org.rest(`PUT /v1/imports/${import_id}/mapping`, { mapping });
  expect(refused.status).toBe(400);
  const told = (column: string, rows: string) => ({
    pointer: `/mapping/${column}`,
    code: 'sample_misfit',
    detail: expect.stringMatching(new RegExp(`must hold .*in sample row ${rows}\\.$`)),
  });
  expect(refused.body.errors).toEqual([
    told('Mail', '2'),
    told('Name', '2'),
    told('Seats', '1, 4'),
    told('Active', '4'),
    told('Consent', '1'),
  ]);
  expect(JSON.stringify(refused.body)).not.toContain('private');
});

test('IMP-045 the first samples are shown as the person each becomes', async () => {
  const org = await world().newOrg();
  await addProperty(org, 'seats', 'number');
  const mapping = {
    Id: 'external_user_id',
    Mail: 'email',
    Other: 'alternate_email',
    First: 'first_name',
    Last: 'last_name',
    Out: 'unsubscribed_from_emails',
    In: 'subscribed_to_emails',
    Seats: { property: 'seats' },
    Tier: { new_property: { key: 'tier', name: 'Tier', type: 'string' } },
    Rest: 'skip',
  };
  const samples = [
    {
      Id: 7,
      Mail: ' Ana@Example.com',
      Other: 'B@example.com',
      First: ' Ana ',
      Last: '',
      Seats: '3',
      Rest: [][0],
    },
    { Mail: 'c@example.com', Out: 'no', In: 'NO', Tier: 4, Seats: 0 },
    { Other: 'd@example.com', First: 'Kim' },
    { Mail: 'e@example.com', Out: 'subscribed', In: 'subscribed' },
    {},
    { Mail: 'f@example.com' },
  ];
  const { import_id } = await draftOf(org, Object.keys(mapping), samples);
  const { sample_people } = await map(org, import_id, mapping);
  const somebody = { first_name: null, last_name: null, email_opt_out: false, custom_properties: {} };
  const nobody = { person: null, reason: expect.stringContaining('at least one of external_user_id') };
  const shown = (row: number, person: object) => ({ row, person: { ...somebody, ...person }, reason: null });
  expect(sample_people).toEqual([
    shown(1, {
      identifiers: { external_user_id: '7', email: 'ana@example.com', alternate_email: 'b@example.com' },
      first_name: 'Ana',
      custom_properties: { seats: 3 },
    }),
    shown(2, {
      identifiers: { email: 'c@example.com' },
      email_opt_out: true,
      custom_properties: { tier: '4', seats: 0 },
    }),
    { row: 3, ...nobody },
    shown(4, { identifiers: { email: 'e@example.com' } }),
    { row: 5, ...nobody },
  ]);
});
