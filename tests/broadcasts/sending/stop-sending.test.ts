import { expect, test } from 'vitest';
import { expectBalanced, ledgerOf, outcomesOf, quietMoment } from '../../support/ledger.ts';
import { ended, moveClock, receiversOf, settled, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg } from '../../support/reader-rows.ts';
import { idle } from '../../support/idle.ts';

const sending = useSending();

const minute = 60_000;

test('a broadcast that is stopped half way ends soon: whoever was still to come is left out and gets nothing', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 30);
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt + minute);
  await settled(world, org);
  await moveClock(org, quietMoment(await ledgerOf(world, id), sendAt + 80 * minute));
  await settled(world, org);
  const got = receiversOf(mail, subject).length;
  expect(got).toBeGreaterThan(0);
  expect(got).toBeLessThan(30);

  const stopped = await org.rest(`POST /v1/broadcasts/${id}/stop`);
  expect(stopped).toMatchObject({ status: 200, body: { broadcast: { status: 'stopped' } } });
  // The lanes sleep until somebody is due again; they must not be waited for.
  expect(await ended(org, id)).toMatchObject({ status: 'stopped', error: null });
  expect(await outcomesOf(world, id)).toEqual({ sent: got, 'skipped stopped': 30 - got });
  await expectBalanced(world, id);
  const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
  expect(body).toMatchObject({
    status: 'stopped',
    totals: { recipients: 30, sent: got, skipped: 30 - got, pending: 0 },
    skipped: [{ reason: 'stopped', count: 30 - got }],
    balanced: true,
  });

  await moveClock(org, sendAt + 400 * minute);
  await idle(world);
  const receivers = receiversOf(mail, subject);
  expect(receivers).toHaveLength(got);
  const left = [...readers].find(([email]) => !receivers.includes(email))!;
  const explained = await org.rest(`GET /v1/broadcasts/${id}/recipients/${left[1]}`);
  expect(explained.body.summary).toBe(
    'They did not get it: the broadcast was stopped before their turn came.',
  );
  const listed = await org.rest(`GET /v1/broadcasts/${id}/recipients?outcome=sent&limit=200`);
  expect(listed.body.recipients).toHaveLength(got);
  const { rows: lanes } = await world.admin.query('select 1 from delivery_lanes where broadcast_id = $1', [
    id,
  ]);
  expect(lanes).toEqual([]);
});

test('deleted and merged while it is sent: nobody gets it twice, and everybody is accounted for', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, 24, (index) => ({ anonymous_id: `anon-${index}` })))];
  const { id, subject, sendAt } = await scheduleEmail(world, org);
  await moveClock(org, sendAt + minute);
  await settled(world, org);
  await moveClock(org, sendAt + 60 * minute);
  const [going, merging] = [readers.slice(0, 6), readers.slice(6, 18)];
  const work = [
    ...going.map(
      ([, person]) =>
        () =>
          org.rest(`DELETE /v1/people/${person}`),
    ),
    ...Array.from(
      { length: 6 },
      (_, at) => () =>
        org.rest('POST /v1/people/identify', { email: merging[at]![0], anonymous_id: `anon-${at + 12}` }),
    ),
  ];
  const answers = await Promise.all(work.map((one) => one()));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await moveClock(org, sendAt + 240 * minute);
  expect(await ended(org, id)).toMatchObject({ status: 'sent' });
  await expectBalanced(world, id);
  const receivers = receiversOf(mail, subject);
  expect(new Set(receivers).size).toBe(receivers.length);
  const { rows } = await world.admin.query(
    `select person_id, count(*) filter (where state in ('pending', 'sending'))::int as open,
       count(*) filter (where twin is null)::int as standing
     from deliveries where broadcast_id = $1 and person_id is not null group by 1`,
    [id],
  );
  expect(rows.filter(({ open, standing }) => open > 0 || standing !== 1)).toEqual([]);
  const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
  expect(body).toMatchObject({
    balanced: true,
    totals: { recipients: 24, pending: 0, sent: receivers.length },
  });
});
