import { newWebinar, setLayout, setWebinar } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { newSegment } from '../../support/segment.ts';
import { filters, firstName, layout, session, type Kind, type Setting } from './drift-setting.ts';

type Change = (setting: Setting) => Promise<unknown>;
/** How a thing is shown, or only how that begins; null: not set. */
type Shown = string | null;

/** One thing that a plan depends on, a change of it alone, and what the refusal says of it. */
export interface Drift {
  readonly rule: string;
  readonly pointer: string;
  readonly cause: string;
  readonly kind: Kind;
  readonly change: Change;
  readonly before: Shown;
  readonly after: Shown;
  /** What cannot but change with it. */
  readonly also: readonly string[];
  /** What then keeps a new plan from being scheduled. */
  readonly blocked?: string;
}

function drift(
  names: [rule: string, pointer: string, cause: string, kind: Kind],
  change: Change,
  [before, after]: [Shown, Shown],
  more: Partial<Pick<Drift, 'also' | 'blocked'>> = {},
): Drift {
  const [rule, pointer, cause, kind] = names;
  return { rule, pointer, cause, kind, change, before, after, also: [], ...more };
}

const content: readonly Drift[] = [
  drift(
    ['SCH-012', '/subject', 'another subject', 'everyone'],
    ({ patch }) => patch({ subject: 'Goodbye' }),
    ['Hello', 'Goodbye'],
  ),
  drift(
    ['SCH-012', '/preview_text', 'another preview text', 'everyone'],
    ({ patch }) => patch({ preview_text: 'Another word' }),
    ['A word', 'Another word'],
  ),
  drift(
    ['SCH-012', '/hold_if_audience_changes_by', 'another percent to be held by', 'everyone'],
    ({ patch }) => patch({ hold_if_audience_changes_by: 12 }),
    ['25', '12'],
  ),
  drift(
    ['SCH-012', '/preview_text', 'a cleared preview text', 'segment'],
    ({ patch }) => patch({ preview_text: null }),
    ['A word', null],
  ),
  drift(
    ['SCH-012', '/html', 'one letter of the body', 'everyone'],
    ({ patch }) => patch({ html: '<p>{{var_name}}, hellO</p>' }),
    ['26 characters', '26 characters'],
  ),
  drift(
    ['SCH-012', '/message_body', 'another text', 'sms'],
    ({ patch }) => patch({ message_body: '{{var_name}}, goodbye' }),
    ['{{var_name}}, hello', '{{var_name}}, goodbye'],
  ),
  drift(
    ['SCH-013', '/variables', 'another fallback of a variable', 'everyone'],
    ({ patch }) => patch({ variables: { var_name: { variable: firstName, fallback: 'You' } } }),
    ['var_name', 'var_name'],
  ),
];

const ofEmails = [
  '/subject',
  '/preview_text',
  '/html',
  '/sender_id',
  '/sender/from',
  '/sender/reply_to',
  '/layout',
];
const audience: readonly Drift[] = [
  drift(
    ['SCH-015', '/channel', 'another channel', 'webinar'],
    ({ patch }) => patch({ channel: 'sms', message_body: '{{var_name}}, hello' }),
    ['email', 'sms'],
    { also: [...ofEmails, '/message_body', '/sms_number'] },
  ),
  drift(
    ['SCH-015', '/audience', 'another kind of audience', 'segment'],
    ({ patch }) => patch({ audience: 'everyone' }),
    ['segment', 'everyone'],
    { also: ['/segment_id', '/segment/filters'] },
  ),
  drift(
    ['SCH-015', '/segment_id', 'another segment with the same filters', 'segment'],
    async ({ patch, org }) => patch({ segment_id: await newSegment(org, filters) }),
    ['A segment', 'A segment'],
  ),
  drift(
    ['SCH-015', '/segment_id', 'a deleted segment', 'segment'],
    ({ call, segment }) => call(`DELETE /v1/segments/${segment}`),
    ['A segment', null],
    { also: ['/segment/filters'], blocked: 'segment_invalid' },
  ),
  drift(
    ['SCH-016', '/segment/filters', 'other filters of the segment', 'segment'],
    ({ call, segment }) =>
      call(`PATCH /v1/segments/${segment}`, {
        filters: [...filters, { property: 'mrr', op: 'gt', value: 5 }],
      }),
    ['1 condition', '2 conditions'],
  ),
  drift(
    ['SCH-015', '/webinar_id', 'another webinar just like it', 'webinar'],
    async ({ patch, world, org }) => patch({ webinar_id: await newWebinar(world, org, session) }),
    ['Getting started', 'Getting started'],
  ),
  drift(
    ['SCH-015', '/webinar_audience', 'others of the registrants', 'sms'],
    ({ patch }) => patch({ webinar_audience: 'attended' }),
    ['registered', 'attended'],
  ),
];

const sender: readonly Drift[] = [
  drift(
    ['SCH-014', '/sender_id', 'another sender', 'everyone'],
    async ({ patch, world, org }) =>
      patch({
        sender_id: await newSender(world, org, { email: 'b@b.test', reply_to: 'answers@example.com' }),
      }),
    ['The News <', 'The News <b@b.test>'],
    { also: ['/sender/from'] },
  ),
  drift(
    ['SCH-014', '/sender_id', 'a sender taken out', 'segment'],
    ({ patch }) => patch({ sender_id: null }),
    ['The News <', null],
    { also: ['/sender/from', '/sender/reply_to'], blocked: 'sender_missing' },
  ),
  drift(
    ['SCH-014', '/sender_id', 'a deleted sender', 'webinar'],
    ({ call, sender: id }) => call(`DELETE /v1/senders/${id}`),
    ['The News <', null],
    { also: ['/sender/from', '/sender/reply_to'], blocked: 'sender_missing' },
  ),
  drift(
    ['SCH-014', '/sender/from', 'another name of the sender', 'everyone'],
    ({ call, sender: id }) => call(`PATCH /v1/senders/${id}`, { name: 'The Herald' }),
    ['The News <', 'The Herald <'],
  ),
  drift(
    ['SCH-014', '/sender/reply_to', 'another place for answers', 'webinar'],
    ({ call, sender: id }) => call(`PATCH /v1/senders/${id}`, { reply_to: 'else@example.com' }),
    ['answers@example.com', 'else@example.com'],
  ),
  drift(
    ['SCH-014', '/sms_number', 'another number that texts come from', 'sms'],
    ({ call }) => call('PUT /v1/sms-number', { number: '+15550008888' }),
    ['+1555', '+15550008888'],
  ),
];

const ofWebinar = (rule: string, field: keyof typeof session, to: string | number): Drift =>
  drift(
    [rule, `/webinar/${field}`, `another ${field} of the webinar`, 'webinar'],
    ({ world, webinar }) => setWebinar(world, webinar, { [field]: to }),
    [String(session[field]), String(to)],
  );

const timing: readonly Drift[] = [
  drift(
    ['SCH-017', '/webinar_offset_minutes', 'another offset', 'webinar'],
    ({ patch }) => patch({ webinar_offset_minutes: 61 }),
    ['60', '61'],
  ),
  drift(
    ['SCH-017', '/webinar_offset_minutes', 'a cleared offset', 'sms'],
    ({ patch }) => patch({ webinar_offset_minutes: null }),
    ['60', null],
  ),
  drift(
    ['SCH-017', '/webinar_anchor', 'another anchor', 'sms'],
    ({ patch }) => patch({ webinar_anchor: 'end' }),
    ['start', 'end'],
  ),
  ofWebinar('SCH-017', 'start_time', '2031-03-02T15:00:00.000Z'),
  ofWebinar('SCH-017', 'duration_minutes', 46),
  ofWebinar('SCH-012', 'title', 'Going further'),
  ofWebinar('SCH-012', 'join_url', 'https://example.com/elsewhere'),
  ofWebinar('SCH-012', 'timezone', 'Europe/Athens'),
];

const ofLayout = (field: keyof typeof layout, to: string | null): Drift =>
  drift(
    [
      'SCH-012',
      '/layout',
      to === null ? `no ${field} in the layout` : `another ${field} in the layout`,
      'everyone',
    ],
    ({ org }) => setLayout(org, { ...layout, [field]: to }),
    [layout.company_name, field === 'company_name' ? (to ?? 'unnamed') : layout.company_name],
  );

const thereAndBack = (rule: string, kind: Kind, field: string, to: unknown, back: unknown): Drift =>
  drift(
    [rule, '/revision', `${field} changed there and back`, kind],
    async ({ patch }) => {
      await patch({ [field]: to });
      await patch({ [field]: back });
    },
    ['1', '3'],
  );

const around: readonly Drift[] = [
  ofLayout('company_name', 'Another'),
  ofLayout('company_name', null),
  ofLayout('logo_url', 'https://example.com/other.png'),
  ofLayout('logo_alt', 'Another logo'),
  ofLayout('footer_text', 'Another footer'),
  ofLayout('footer_text', null),
  ofLayout('postal_address', '2 Main Street, Springfield'),
  ofLayout('link_color', '#00703c'),
  ofLayout('button_color', null),
  drift(
    ['SCH-012', '/timezone', 'another zone for dates', 'everyone'],
    ({ call }) => call('PATCH /v1/settings', { timezone: 'Europe/Paris' }),
    ['UTC', 'Europe/Paris'],
  ),
  thereAndBack('SCH-012', 'everyone', 'subject', 'Goodbye', 'Hello'),
  thereAndBack('SCH-017', 'sms', 'webinar_offset_minutes', null, 60),
];

/** Every thing that makes a plan stale, and no other. */
export const drifts: readonly Drift[] = [...content, ...audience, ...sender, ...timing, ...around];
