import { beforeAll, expect, test } from 'vitest';
import { newDraft, newWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { isLong } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { pointersOf, read, update, type Fields, type Json } from './draft-ways.ts';

const world = useWorld();

let org: TestOrg;
let ids: Record<'segment_id' | 'webinar_id' | 'sender_id', string>;

beforeAll(async () => {
  org = await world().newOrg();
  ids = {
    segment_id: await newSegment(org, [{ property: 'primary_email', op: 'is_not_empty' }]),
    webinar_id: await newWebinar(world(), org),
    sender_id: await newSender(world(), org),
  };
});

/** What each field goes with; the rest goes with anything. */
const goesWith: Readonly<Record<string, ['channel' | 'audience', string]>> = {
  segment_id: ['audience', 'segment'],
  webinar_id: ['audience', 'webinar'],
  webinar_audience: ['audience', 'webinar'],
  webinar_offset_minutes: ['audience', 'webinar'],
  webinar_anchor: ['audience', 'webinar'],
  subject: ['channel', 'email'],
  preview_text: ['channel', 'email'],
  html: ['channel', 'email'],
  sender_id: ['channel', 'email'],
  message_body: ['channel', 'sms'],
};
const defaults: Fields = { webinar_audience: 'registered', webinar_anchor: 'start' };

/** A value of a field that no draft below has, but for the ids: there is one of each. */
const another = (): Fields => ({
  ...ids,
  webinar_audience: 'no_show',
  webinar_offset_minutes: 15,
  webinar_anchor: 'end',
  subject: 'Another',
  preview_text: 'Another',
  html: '<p>Another</p>',
  message_body: 'Another',
});

const email = { subject: 'Old', preview_text: 'Old', html: '<p>Old</p>' };
const timing = { webinar_audience: 'attended', webinar_offset_minutes: 30, webinar_anchor: 'start' };
const starts: [string, () => Fields][] = [
  [
    'an email to everyone',
    () => ({ channel: 'email', audience: 'everyone', ...email, sender_id: ids.sender_id }),
  ],
  [
    'an email to a segment',
    () => ({ channel: 'email', audience: 'segment', segment_id: ids.segment_id, ...email }),
  ],
  [
    'an email to a webinar',
    () => ({ channel: 'email', audience: 'webinar', webinar_id: ids.webinar_id, ...timing, ...email }),
  ],
  [
    'a text to a webinar',
    () => ({
      channel: 'sms',
      audience: 'webinar',
      webinar_id: ids.webinar_id,
      ...timing,
      message_body: 'Old',
    }),
  ],
];

interface Judged {
  readonly pointers: string[];
  readonly fields: Fields;
}

/** What the specification makes of a change, reckoned here by itself. */
function judge(before: Fields, sent: Fields): Judged {
  const all: Fields = { ...before, ...sent };
  const fits = (field: string): boolean => {
    const [part, value] = goesWith[field]!;
    return all[part] === value;
  };
  const strangers = Object.keys(sent).filter(
    (field) => field in goesWith && sent[field] !== null && !fits(field),
  );
  const lacking = ['segment_id', 'webinar_id'].filter((field) => fits(field) && all[field] === undefined);
  const pointers = [...strangers, ...lacking].map((field) => `/${field}`);
  if (all['channel'] === 'sms' && all['audience'] !== 'webinar') pointers.push('/audience');
  const kept = Object.keys(goesWith).map((field) => [
    field,
    fits(field) ? (all[field] ?? defaults[field] ?? null) : null,
  ]);
  const fields = { channel: all['channel'], audience: all['audience'], ...Object.fromEntries(kept) };
  return { pointers: pointers.toSorted(), fields };
}

/** A record in the fields that callers send. */
const fieldsOf = ({ audience, timing: when, sender, ...rest }: Json): Fields => {
  const { channel, subject, preview_text, html, message_body } = rest;
  const { kind, segment_id, webinar_id, webinar_audience } = audience;
  const { webinar_offset_minutes, webinar_anchor } = when;
  return {
    channel,
    audience: kind,
    segment_id,
    webinar_id,
    webinar_audience,
    webinar_offset_minutes,
    webinar_anchor,
    subject,
    preview_text,
    html,
    message_body,
    sender_id: sender?.id ?? null,
  };
};

function* everyChange(): Generator<Fields> {
  const cleared = ['preview_text', 'sender_id', 'webinar_offset_minutes'].map((field) => ({ [field]: null }));
  const { segment_id, webinar_id, ...others } = another();
  const single = Object.entries(others).map(([field, value]) => ({ [field]: value }));
  for (const channel of [{}, { channel: 'email' }, { channel: 'sms' }]) {
    for (const audience of [{}, { audience: 'everyone' }, { audience: 'segment' }, { audience: 'webinar' }]) {
      for (const target of [{}, { segment_id }, { webinar_id }]) {
        for (const field of [{}, ...single, ...cleared])
          yield { ...channel, ...audience, ...target, ...field };
      }
    }
  }
}

/** Five goes with every channel, audience, target and field in turn, because it divides none of their numbers. */
const tried = () => [...everyChange()].filter((_, n) => isLong || n % 5 === 0);

test.each(starts)(
  'BRD-009 BRD-010 BRD-015 BRD-017 BRD-024 BRD-043 BRD-044 %s and every change of channel, audience and one field more',
  { timeout: 300_000 },
  async (_, start) => {
    const before = start();
    let { id } = await newDraft(org, before);
    const unchanged = judge(before, {}).fields;
    let [taken, refused] = [0, 0];
    for (const sent of tried()) {
      const { pointers, fields } = judge(before, sent);
      const isTaken = pointers.length === 0;
      const { status, body } = await update.rest(org, id, sent);
      const told = { status, pointers: pointersOf(body.errors ?? []), fields: fieldsOf(await read(org, id)) };
      const wanted = isTaken ? { status: 200, fields } : { status: 400, fields: unchanged };
      expect({ sent, ...told }).toEqual({ sent, pointers, ...wanted });
      if (isTaken) ({ id } = await newDraft(org, before));
      taken += isTaken ? 1 : 0;
      refused += isTaken ? 0 : 1;
    }
    expect(taken).toBeGreaterThan(isLong ? 30 : 6);
    expect(refused).toBeGreaterThan(isLong ? 100 : 20);
  },
);
