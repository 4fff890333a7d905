import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { hearTexts } from '../../src/domain/delivery/providers/hear-texts.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { startTwilio } from '../support/twilio.ts';
import { useWorld } from '../support/world.ts';
import {
  deliveryOf,
  timelineOf,
  isOptedOut,
  newTextOrg,
  sentText,
  serviceAudit,
  twilioSettings,
} from './text-setting.ts';

const twilio = await startTwilio();
afterAll(() => twilio.stop());
const world = useWorld({ env: twilioSettings(twilio) });

const totalsOf = async (org: Awaited<ReturnType<typeof newTextOrg>>['org'], broadcast: string) =>
  (await org.rest(`GET /v1/broadcasts/${broadcast}/stats`)).body.totals;

const somebody = async () => {
  const { org } = await newTextOrg(world());
  return { org, person: await org.person({ phone: '+447911123456' }) };
};

describe('over HTTP, a receipt', () => {
  test('of a text that arrived is written down once', async () => {
    const { org, person } = await somebody();
    const { asked, delivery, broadcast } = await sentText(world(), org, person);
    for (const MessageStatus of ['queued', 'sending', 'sent']) {
      expect((await twilio.callBack(asked, world().url, { MessageStatus })).status).toBe(204);
    }
    expect(await deliveryOf(world(), delivery)).toMatchObject({ delivered_at: null, bounced_at: null });
    expect(await serviceAudit(world(), org)).toEqual([]);
    await twilio.callBack(asked, world().url, { MessageStatus: 'delivered' });
    const { delivered_at } = await deliveryOf(world(), delivery);
    expect(delivered_at).toEqual(expect.any(Date));
    await twilio.callBack(asked, world().url, { MessageStatus: 'delivered' });
    await twilio.callBack(asked, world().url, { MessageStatus: 'undelivered', ErrorCode: '30003' });
    expect(await deliveryOf(world(), delivery)).toMatchObject({
      delivered_at,
      bounced_at: null,
      history: [],
    });
    expect(await totalsOf(org, broadcast)).toMatchObject({ sent: 1, delivered: 1, bounced: 0 });
    expect(await serviceAudit(world(), org)).toEqual([
      { operation: 'note_receipt', ids: { broadcast_id: broadcast, delivery_id: String(delivery) } },
    ]);
  });

  test.each([
    ['failed', '30005', 'hard'],
    ['undelivered', '30006', 'hard'],
    ['undelivered', '30003', 'soft'],
    ['undelivered', '30008', 'soft'],
    ['undelivered', '30007', 'policy'],
    ['undelivered', undefined, 'soft'],
  ])(
    'that says %s with %s is a failure of the class %s, and only that',
    async (MessageStatus, code, bounce_class) => {
      const { org, person } = await somebody();
      const { asked, delivery, broadcast } = await sentText(world(), org, person);
      await twilio.callBack(asked, world().url, {
        MessageStatus,
        ...(code !== undefined && { ErrorCode: code }),
      });
      expect(await deliveryOf(world(), delivery)).toMatchObject({
        state: 'sent',
        delivered_at: null,
        bounced_at: expect.any(Date),
        bounce_class,
        history: [{ at: expect.any(String), what: 'bounced', ...(code !== undefined && { code }) }],
      });
      expect(await totalsOf(org, broadcast)).toMatchObject({ sent: 1, bounced: 1 });
      expect(await isOptedOut(org, person)).toBe(false);
      expect(
        (await world().admin.query('select 1 from email_blacklist where org_id = $1', [org.id])).rowCount,
      ).toBe(0);
    },
  );

  test('SND-009 that says the recipient opted out with Twilio opts them out', async () => {
    const { org, person } = await somebody();
    const { asked, broadcast } = await sentText(world(), org, person);
    await twilio.callBack(asked, world().url, { MessageStatus: 'failed', ErrorCode: '21610' });
    expect(await isOptedOut(org, person)).toBe(true);
    expect(await totalsOf(org, broadcast)).toMatchObject({ bounced: 1, unsubscribed: 1 });
    expect(await serviceAudit(world(), org)).toMatchObject([{ ids: { person_ids: [person] } }]);
  });

  test('shows that an uncertain text was sent', async () => {
    const { org, person } = await somebody();
    const { asked, delivery, broadcast } = await sentText(world(), org, person, { state: 'uncertain' });
    expect(await totalsOf(org, broadcast)).toMatchObject({ sent: 0, uncertain: 1 });
    await twilio.callBack(asked, world().url, { MessageStatus: 'delivered' });
    expect(await deliveryOf(world(), delivery)).toMatchObject({ state: 'sent', sent_at: expect.any(Date) });
    expect(await totalsOf(org, broadcast)).toMatchObject({ sent: 1, uncertain: 0, delivered: 1 });
    expect(await timelineOf(org, person)).toMatchObject([{ event_name: '$svc_text_sent' }]);
  });

  test('of a text to somebody who is gone is still counted', async () => {
    const { org, person } = await somebody();
    const { asked, broadcast } = await sentText(world(), org, person);
    await world().admin.query('update deliveries set person_id = null where person_id = $1', [person]);
    await org.rest(`DELETE /v1/people/${person}`);
    await twilio.callBack(asked, world().url, { MessageStatus: 'failed', ErrorCode: '21610' });
    expect(await totalsOf(org, broadcast)).toMatchObject({ bounced: 1, unsubscribed: 0 });
  });
});

describe('over SMPP, a receipt', () => {
  const hearing = () => {
    const { config, database, clock } = world();
    return hearTexts(database, { keys: keyring(config), mail: mailSettings(config) }, clock, 'default');
  };
  const delivered = { outcome: 'delivered' } as const;

  test('TEN-001 finds its text by name, whichever organization sent it, the latest of that name', async () => {
    const [one, two] = [await somebody(), await somebody()];
    const old = await sentText(world(), one.org, one.person, { receipt: 'r-1' });
    const latest = await sentText(world(), two.org, two.person, { receipt: 'r-1' });
    await hearing().onReceipt({ receipt: 'r-1', news: delivered });
    expect((await deliveryOf(world(), latest.delivery))['delivered_at']).toEqual(expect.any(Date));
    expect((await deliveryOf(world(), old.delivery))['delivered_at']).toBeNull();
    expect(await serviceAudit(world(), one.org)).toEqual([]);
    expect(await serviceAudit(world(), two.org)).toHaveLength(1);
  });

  test('that is faster than the ledger waits for it', async () => {
    const { org, person } = await somebody();
    const { delivery } = await sentText(world(), org, person);
    const noting = hearing().onReceipt({ receipt: 'r-2', news: delivered });
    await pause(100); // looked for, and not there
    await world().admin.query("update deliveries set receipt = 'r-2' where id = $1", [delivery]);
    await noting;
    expect((await deliveryOf(world(), delivery))['delivered_at']).toEqual(expect.any(Date));
  });

  test('that nobody knows is refused for minutes, then taken', async () => {
    const { onReceipt } = hearing();
    const unknown = () => onReceipt({ receipt: 'r-3', news: delivered });
    await expect(unknown()).rejects.toMatchObject({ name: 'UnknownReceipt' });
    try {
      world().clock.now = () => new Date(Date.now() + 4 * 60_000);
      await expect(unknown()).rejects.toMatchObject({ name: 'UnknownReceipt' });
      world().clock.now = () => new Date(Date.now() + 6 * 60_000);
      await unknown();
    } finally {
      world().clock.now = () => new Date();
    }
  });
});

test('TEN-001 the relay sees of texts what it needs and no more', async () => {
  const { admin } = world();
  const may = async (statement: string): Promise<boolean> => {
    await admin.query('begin; set local role rostrum_relay');
    const allowed = await admin.query(statement).then(
      () => true,
      (error: { code?: string }) => error.code !== '42501',
    );
    await admin.query('rollback');
    return allowed;
  };
  expect(await may('select org_id, number from sms_numbers')).toBe(true);
  expect(await may('select org_id, id, receipt from deliveries')).toBe(true);
  for (const refused of [
    'select address from deliveries',
    'select person_id from deliveries',
    "update deliveries set state = 'sent'",
    'delete from sms_numbers',
    "select gate.people_with_number('+15550001111')",
    'select 1 from identifiers',
  ]) {
    expect({ refused, may: await may(refused) }).toEqual({ refused, may: false });
  }
});

test('finding a text by its receipt, or somebody by their number, reads an index', async () => {
  const { admin } = world();
  const planOf = async (question: string): Promise<string> => {
    const { rows } = await admin.query(`explain ${question}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  await admin.query('begin; set local enable_seqscan = off; set local role rostrum_relay');
  const receipt = await planOf(
    "select org_id, id from deliveries where receipt = 'r' order by id desc limit 1",
  );
  await admin.query('rollback; begin; set local enable_seqscan = off; set local role rostrum_gate');
  const number = await planOf(
    `select person_id from identifiers where org_id = '${crypto.randomUUID()}' and type = 'phone' and dialed(value) = '+1'`,
  );
  await admin.query('rollback');
  // An index of deliveries_by_receipt in each month.
  expect(receipt).toMatch(/Index Scan using deliveries_\w+_receipt_idx[^]*Index Cond: \(receipt/);
  expect(receipt).not.toContain('Seq Scan');
  expect(number).toMatch(/identifiers_by_number[^]*Index Cond: .*translate/);
});
