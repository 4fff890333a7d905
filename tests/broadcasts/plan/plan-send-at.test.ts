import { beforeAll, expect, test } from 'vitest';
import { codesOf, newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import {
  away,
  blocksUntil,
  checkOf,
  hour,
  minute,
  readyInvitation,
  readyText,
  whileItIs,
} from './plan-support.ts';

const world = useWorld();

const now = '2027-04-01T10:00:00.000Z';

/** A broadcast of each kind that has no time of its own. Planning changes none of them. */
let org: TestOrg;
let drafts: readonly { id: string }[];
beforeAll(async () => {
  org = await world().newOrg();
  drafts = [
    await readyDraft(world(), org),
    await readyInvitation(world(), org, await newWebinar(world(), org)),
    await readyText(world(), org),
  ];
});

test.each([
  ['2027-04-02T10:00:00Z', '2027-04-02T10:00:00.000Z'],
  ['2027-04-02T10:00:00.250Z', '2027-04-02T10:00:00.250Z'],
  ['2027-04-02T10:00Z', '2027-04-02T10:00:00.000Z'],
  ['2027-04-02t10:00:00z', '2027-04-02T10:00:00.000Z'],
  ['2027-04-02T12:00:00+02:00', '2027-04-02T10:00:00.000Z'],
  ['2027-04-01T22:30:00-11:30', '2027-04-02T10:00:00.000Z'],
  ['2027-04-03T00:00:00+14:00', '2027-04-02T10:00:00.000Z'],
  ['2027-04-02T15:45:00.001+05:45', '2027-04-02T10:00:00.001Z'],
])('PLN-003 PLN-007 PLN-014 send_at %s is planned as %s, over both faces', async (send_at, planned) => {
  await whileItIs(world(), now, async () => {
    for (const { id } of drafts) {
      expect((await plan(org, id, send_at)).delivery.send_at).toBe(planned);
      const asTool = await org.tool('plan_broadcast', { broadcast_id: id, send_at });
      expect(asTool.body.delivery.send_at).toBe(planned);
    }
  });
});

test.each([
  'tomorrow',
  'now+2d',
  '2027-04-02',
  '2027-04-02T10:00:00',
  '2027-04-02T10:00:00.000',
  '2027-04-02 10:00:00Z',
  '2027-13-02T10:00:00Z',
  '2027-02-29T10:00:00Z',
  '2027-04-02T24:00:00Z',
  '2027-04-02T10:00:00+0200',
  '2027-04-02T10:00:00+24:00',
  '2027-04-02T10:00:00[Europe/Paris]',
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
  '+012027-04-02T10:00:00Z',
  '',
  null,
  1_806_660_000_000,
  { at: '2027-04-02T10:00:00Z' },
])('PLN-004 send_at %j is refused over both faces', async (send_at) => {
  const { id } = drafts[0]!;
  const overRest = await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at });
  const asTool = await org.tool('plan_broadcast', { broadcast_id: id, send_at });
  for (const body of [overRest.body, asTool.body]) {
    expect(body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer: '/send_at' }] });
  }
  expect(asTool.text).toMatch(/send_at/);
});

test('PLN-003 a field that is not known is refused and named: a typo must not become a plan', async () => {
  const { id } = drafts[0]!;
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/plan`, { sendAt: away(now, hour) });
  expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ pointer: '/sendAt' }] });
});

test('PLN-023 send_at_required is there without send_at, and gone with it', async () => {
  const anchored = await readyInvitation(world(), org, await newWebinar(world(), org), {
    webinar_anchor: 'end',
  });
  await whileItIs(world(), now, async () => {
    for (const { id } of [...drafts, anchored]) {
      const nothing = async () => undefined;
      const times = [null, away(now, 24 * hour)] as const;
      const check = await blocksUntil(org, id, 'send_at_required', nothing, times);
      expect(check.message).toContain('send_at');
    }
  });
});

test.each([
  ['a year ago', -365 * 24 * hour],
  ['now', 0],
  ['a minute short of an hour ahead', 59 * minute],
  ['a millisecond short of an hour ahead', hour - 1],
])('PLN-024 PLN-039 send_at_too_soon: %s it blocks, an hour ahead it does not', async (_, ahead) => {
  for (const { id } of [drafts[0]!, drafts[2]!]) {
    await whileItIs(world(), now, async () => {
      const times = [away(now, ahead), away(now, hour)] as const;
      const check = await blocksUntil(org, id, 'send_at_too_soon', async () => undefined, times);
      expect(check.message).toContain(times[0]);
    });
  }
});

test.each([
  ['2027-04-01T10:00:00.000Z', '2028-04-01T10:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2027-12-31T23:59:59.999Z'],
  ['2027-03-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['2028-02-28T12:00:00.000Z', '2029-02-28T12:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2029-03-01T12:00:00.000Z'],
])(
  'PLN-040 PLN-041 from %s on, %s is the last moment that can be planned, and one millisecond more blocks',
  async (from, last) => {
    const { id } = drafts[0]!;
    await whileItIs(world(), from, async () => {
      const times = [away(last, 1), last] as const;
      const check = await blocksUntil(org, id, 'send_at_too_far', async () => undefined, times);
      expect(check.message).toContain(times[0]);
      expect(codesOf(await plan(org, id, '9999-12-31T23:59:59.999Z'), 'error')).toEqual(['send_at_too_far']);
    });
  },
);

test('PLN-040 a webinar at the end of the calendar is too far, and not more than that', async () => {
  const webinar = await newWebinar(world(), org, { start_time: '9999-12-31T23:00:00Z' });
  const { id } = await readyInvitation(world(), org, webinar, { webinar_offset_minutes: -120 });
  const planned = await plan(org, id, null);
  expect(planned.delivery.send_at).toBe('9999-12-31T23:59:59.999Z');
  expect(codesOf(planned)).toEqual(['send_at_too_far']);
});

test('PLN-024 PLN-039 it is the time of planning that counts: the same send_at becomes too soon', async () => {
  const { id } = drafts[0]!;
  const send_at = away(now, 2 * hour);
  for (const [passed, errors] of [
    [0, []],
    [hour, []],
    [hour + 1, ['send_at_too_soon']],
  ] as const) {
    await whileItIs(world(), away(now, passed), async () => {
      const planned = await plan(org, id, send_at);
      expect(codesOf(planned, 'error')).toEqual(errors);
      expect(checkOf(planned, 'send_at_too_far')).toBeUndefined();
    });
  }
});
