import { expect, test } from 'vitest';
import { orgTransaction } from '../../../src/database/org-transaction.ts';
import { setAllowance } from '../../../src/domain/orgs/allowance.ts';
import { codesOf, inHours, newDraft, newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { newConfig, patch, type Json } from './plan-support.ts';

const world = useWorld();

const property = (key: string) => `{{context.root_context.org_user.custom_properties.${key}}}`;

const allow = (org: TestOrg, channel: 'email' | 'sms', perMonth: number) =>
  orgTransaction(world().database, org.id, 'write', (db) => setAllowance(db, org.id, channel, perMonth));

test('PLN-011 PLN-022 an empty email is told everything it lacks at once', async () => {
  const org = await world().newOrg();
  await allow(org, 'email', 0);
  const { id } = await newDraft(org, { audience: 'everyone' });
  const planned = await plan(org, id, null);
  expect(planned).toMatchObject({ ready: false, sender: null, preview: null });
  expect(planned).not.toHaveProperty('plan_token');
  expect(codesOf(planned, 'error').toSorted()).toEqual([
    'allowance_used_up',
    'body_missing',
    'layout_incomplete',
    'send_at_required',
    'sender_missing',
    'subject_missing',
  ]);
  expect(codesOf(planned, 'warning').toSorted()).toEqual(['everyone', 'no_recipients_yet']);
});

test('PLN-011 PLN-022 an empty text is told everything it lacks at once', async () => {
  const org = await world().newOrg();
  await allow(org, 'sms', 0);
  const webinar_id = await newWebinar(world(), org, { status: 'canceled' });
  const timing = { webinar_offset_minutes: 5, webinar_anchor: 'end' };
  const { id } = await newDraft(org, { channel: 'sms', audience: 'webinar', webinar_id, ...timing });
  const planned = await plan(org, id);
  expect(planned.ready).toBe(false);
  expect(codesOf(planned, 'error').toSorted()).toEqual([
    'allowance_used_up',
    'body_missing',
    'sms_number_missing',
    'webinar_canceled',
    'webinar_end_unknown',
  ]);
  expect(codesOf(planned, 'warning').toSorted()).toEqual(['no_recipients_yet', 'send_at_ignored']);
});

test('PLN-011 PLN-028 what broke since it was drafted is told at once, each missing variable by itself', async () => {
  const org = await world().newOrg();
  const sender_id = await newSender(world(), org, { ready: false });
  const configs = [await newConfig(org, 'tier'), await newConfig(org, 'city')];
  const segment_id = await newSegment(org, [{ custom_property_key: 'tier', op: 'is_not_empty' }]);
  const { id } = await readyDraft(world(), org, {
    audience: 'segment',
    segment_id,
    sender_id,
    html: '<p>{{var_a}} {{var_b}} {{var_c}}</p>',
    variables: {
      var_a: { variable: property('tier'), fallback: '-' },
      var_b: { variable: property('city'), fallback: '-' },
      var_c: { variable: '{{context.root_context.org_user.first_name}}', fallback: '-' },
    },
  });
  for (const config of configs) await org.rest(`DELETE /v1/property-configs/${config}`);
  const planned = await plan(org, id, inHours(0.5));
  expect(codesOf(planned, 'error').toSorted()).toEqual([
    'segment_invalid',
    'send_at_too_soon',
    'sender_domain_unverified',
    'variable_missing',
    'variable_missing',
  ]);
  const missing = planned.checks.filter(({ code }: Json) => code === 'variable_missing');
  expect(missing.map(({ message }: Json) => message.slice(0, 5)).toSorted()).toEqual(['var_a', 'var_b']);
});

test('PLN-010 PLN-033 PLN-035 PLN-036 PLN-037 PLN-038 all warnings together do not block', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'tier');
  const fields = {
    subject: 'Hello',
    html: `<p>{{var_tier}} <a href="http://example.com">here</a> ${'x'.repeat(96 * 1024)}</p>`,
    variables: { var_tier: { variable: property('tier') } },
  };
  const [{ id: sent }, { id }] = [
    await readyDraft(world(), org, fields),
    await readyDraft(world(), org, fields),
  ];
  await world().admin.query("update broadcasts set status = 'sent', started_at = now() where id = $1", [
    sent,
  ]);
  await allow(org, 'email', 1);
  const planned = await plan(org, id);
  expect(codesOf(planned).toSorted()).toEqual([
    'allowance_short',
    'everyone',
    'gmail_clipping',
    'links_without_https',
    'sent_before',
    'variable_unresolvable',
  ]);
  expect(planned.ready).toBe(true);
  const { plan_token } = planned;
  const scheduled = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  expect(scheduled).toMatchObject({ status: 200, body: { broadcast: { status: 'scheduled' } } });
});

test('PLN-011 PLN-022 errors come before warnings, and each is gone when it alone is mended', async () => {
  const org = await world().newOrg();
  const { id } = await newDraft(org, { audience: 'everyone' });
  let codes = codesOf(await plan(org, id));
  const levels = (await plan(org, id)).checks.map(({ level }: Json) => level);
  expect(levels).toEqual(levels.toSorted());
  const mends: [string, () => Promise<unknown>][] = [
    ['subject_missing', () => patch(org, id, { subject: 'Hello' })],
    ['body_missing', () => patch(org, id, { html: '<p>Hello</p>' })],
    ['sender_missing', async () => patch(org, id, { sender_id: await newSender(world(), org) })],
    ['layout_incomplete', () => org.rest('PUT /v1/email-layout', { postal_address: '1 Main Street' })],
    ['no_recipients_yet', () => org.person({ email: 'ada@example.com' })],
  ];
  expect(codes.toSorted()).toEqual([...mends.map(([code]) => code), 'everyone'].toSorted());
  for (const [code, mend] of mends) {
    await mend();
    const left = codesOf(await plan(org, id));
    expect(left).toEqual(codes.filter((one) => one !== code));
    codes = left;
  }
  expect(codes).toEqual(['everyone']);
});
