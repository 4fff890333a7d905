import { setLayout, setVerified, setWebinar } from '../../support/broadcast.ts';
import { layout, planning, type Kind, type Setting } from './drift-setting.ts';

type Change = (setting: Setting) => Promise<unknown>;
export interface Blocking {
  readonly code: string;
  readonly kind: Kind;
  readonly prepare?: Change;
  readonly change: Change;
}

const setClock = ({ world }: Setting, ms: number) =>
  void (world.clock.now = () => new Date(planning.getTime() + ms));
const asksSeats = [{ custom_property_key: 'seats', op: 'gt', value: 3 }];
const newConfig: Change = ({ call }) =>
  call('POST /v1/property-configs', { key: 'seats', name: 'Seats', type: 'number' });
const deleteConfig: Change = async ({ org, call }) => {
  const { property_configs } = (await org.rest('GET /v1/property-configs')).body;
  await call(`DELETE /v1/property-configs/${property_configs[0].id}`);
};
export const setAllowance =
  (used: number): Change =>
  ({ org, world }) =>
    world.admin.query(
      `with allowed as (insert into allowances values ($1, 'email', 10), ($1, 'sms', 10) on conflict do nothing)
     insert into allowance_uses
     select $1, c, date_trunc('month', $3::timestamptz at time zone 'utc') + make_interval(months => later), $2
     from unnest('{email,sms}'::text[]) c, generate_series(0, 2) later on conflict (org_id, channel, month) do update set used = excluded.used`,
      [org.id, used, planning],
    );

/** What may come to block after the plan was made, without a change of what was planned. */
export const blockings: readonly Blocking[] = [
  // The clock of another process may be a little behind.
  {
    code: 'send_at_too_far',
    kind: 'webinar',
    prepare: ({ webinar, world }) => setWebinar(world, webinar, { start_time: '2032-02-01T10:00:00.000Z' }), // an hour before it is a year away
    change: async (setting) => setClock(setting, -1),
  },
  {
    code: 'send_at_too_soon',
    kind: 'webinar',
    prepare: ({ webinar, world }) => setWebinar(world, webinar, { start_time: '2031-02-01T11:30:00.000Z' }),
    change: async (setting) => setClock(setting, 31 * 60_000),
  },
  {
    code: 'body_missing',
    kind: 'everyone',
    change: ({ id, world }) => world.admin.query('update broadcasts set body = null where id = $1', [id]),
  },
  {
    code: 'variable_missing',
    kind: 'everyone',
    prepare: async (setting) => {
      await newConfig(setting);
      const variable = '{{context.root_context.org_user.custom_properties.seats}}';
      await setting.patch({
        html: '<p>{{var_seats}}</p>',
        variables: { var_seats: { variable, fallback: 'no' } },
      });
    },
    change: deleteConfig,
  },
  {
    code: 'sender_domain_unverified',
    kind: 'segment',
    change: ({ sender, world }) => setVerified(world, sender, false),
  },
  {
    code: 'segment_invalid',
    kind: 'segment',
    prepare: async (setting) => {
      await newConfig(setting);
      await setting.call(`PATCH /v1/segments/${setting.segment}`, { filters: asksSeats });
    },
    change: deleteConfig,
  },
  {
    code: 'webinar_canceled',
    kind: 'sms',
    change: ({ webinar, world }) => setWebinar(world, webinar, { status: 'canceled' }),
  },
  { code: 'allowance_used_up', kind: 'everyone', prepare: setAllowance(9), change: setAllowance(10) },
  { code: 'allowance_used_up', kind: 'sms', prepare: setAllowance(9), change: setAllowance(11) },
];

/** What blocks, too, and cannot come about without a change of what was planned. */
export const driftFirst: readonly (Blocking & { readonly pointer: string })[] = [
  {
    code: 'send_at_required',
    pointer: '/webinar_offset_minutes',
    kind: 'sms',
    change: ({ patch }) => patch({ webinar_offset_minutes: null }),
  },
  {
    code: 'webinar_end_unknown',
    pointer: '/webinar/duration_minutes',
    kind: 'webinar',
    prepare: ({ patch }) => patch({ webinar_anchor: 'end' }),
    change: ({ webinar, world }) => setWebinar(world, webinar, { duration_minutes: null }),
  },
  {
    code: 'subject_missing',
    pointer: '/subject',
    kind: 'everyone',
    change: ({ patch }) => patch({ subject: ' ' }),
  },
  {
    code: 'sender_missing',
    pointer: '/sender_id',
    kind: 'everyone',
    change: ({ patch }) => patch({ sender_id: null }),
  },
  {
    code: 'sms_number_missing',
    pointer: '/sms_number',
    kind: 'sms',
    change: ({ call }) => call('PUT /v1/sms-number', { number: null }),
  },
  {
    code: 'layout_incomplete',
    pointer: '/layout',
    kind: 'everyone',
    change: ({ org }) => setLayout(org, { ...layout, postal_address: null }),
  },
];
