import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addDelivery, newSending, setDelivery } from '../../support/arrange-ledger.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { triesOfService } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

const zone = 'America/St_Johns'; // three and a half hours behind
const states = ['pending', 'sending', 'sent', 'skipped', 'failed', 'uncertain'] as const;
const marks = ['delivered', 'opened', 'clicked', 'unsubscribed', 'bounced', 'complained'] as const;

interface Change {
  readonly row: number;
  readonly state: (typeof states)[number];
  readonly reason: string;
  readonly mark: (typeof marks)[number] | null;
  readonly at: Date;
}

const change: fc.Arbitrary<Change> = fc.record({
  row: fc.nat({ max: 5 }),
  state: fc.constantFrom(...states),
  reason: fc.constantFrom('opted_out', 'bounced', 'no_answer'),
  mark: fc.option(fc.constantFrom(...marks), { freq: 2 }),
  at: fc.date({
    min: new Date('2026-03-07T00:00:00Z'),
    max: new Date('2026-03-10T00:00:00Z'),
    noInvalidDate: true,
  }),
});

/** One recipient as a test keeps it beside the ledger. */
type Kept = { state: string; reason: string | null; sent_at?: Date } & {
  [Mark in `${(typeof marks)[number]}_at`]?: Date;
};

const explained = ['skipped', 'failed', 'uncertain'] as const;

interface Counted {
  readonly reason: string;
  readonly count: number;
}

function countOf(list: readonly Counted[]): Record<string, number> {
  const by: Record<string, number> = {};
  for (const { reason, count } of list) by[reason] = (by[reason] ?? 0) + count;
  return by;
}

const dayOf = (at: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

/** What stats must say, counted from the recipients one by one. */
function expected(kept: readonly Kept[]) {
  const count = (holds: (one: Kept) => boolean): number => kept.filter(holds).length;
  const outcomes = {
    sent: count(({ state }) => state === 'sent'),
    skipped: count(({ state }) => state === 'skipped'),
    failed: count(({ state }) => state === 'failed'),
    uncertain: count(({ state }) => state === 'uncertain'),
    pending: count(({ state }) => state === 'pending' || state === 'sending'),
  };
  const responses = Object.fromEntries(
    marks.map((mark) => [mark, count((one) => one[`${mark}_at`] !== undefined)]),
  );
  const days = new Map<string, { date: string; sent: number; opened: number; clicked: number }>();
  for (const one of kept) {
    for (const kind of ['sent', 'opened', 'clicked'] as const) {
      const at = one[`${kind}_at`];
      if (at === undefined) continue;
      const date = dayOf(at);
      const day = days.get(date) ?? { date, sent: 0, opened: 0, clicked: 0 };
      days.set(date, { ...day, [kind]: day[kind] + 1 });
    }
  }
  return {
    totals: { recipients: kept.length, ...outcomes, ...responses },
    outcomes,
    per_day: [...days.values()].toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    reasons: Object.fromEntries(
      explained.map((outcome) => {
        const why = kept.flatMap(({ state, reason }) =>
          state === outcome && reason !== null ? [reason] : [],
        );
        return [outcome, countOf(why.map((reason) => ({ reason, count: 1 })))];
      }),
    ),
    balanced: true,
  };
}

test('STA-010 STA-011 STA-012 STA-013 whatever happens to recipients in whatever order, stats says what a count of them says', async () => {
  const org = await world().newOrg();
  await org.rest('PATCH /v1/settings', { timezone: zone });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      const id = await newSending(world(), org);
      const rows: number[] = [];
      const kept: Kept[] = [];
      for (const { row, state, reason, mark, at } of changes) {
        const index = Math.min(row, rows.length);
        if (index === rows.length) {
          rows.push(await addDelivery(world(), org, id, null));
          kept.push({ state: 'pending', reason: null });
        }
        const one = kept[index]!;
        if (one.state === 'skipped') continue; // nobody comes back from there
        const isExplained = explained.some((outcome) => outcome === state);
        const fields = { state, reason: isExplained ? reason : null };
        if (state === 'sent') Object.assign(fields, { sent_at: one.sent_at ?? at });
        if (mark !== null) Object.assign(fields, { [`${mark}_at`]: one[`${mark}_at`] ?? at });
        await setDelivery(world(), rows[index]!, fields);
        Object.assign(one, fields);
      }
      const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
      const { totals, outcomes, per_day, balanced } = body;
      const reasons = Object.fromEntries(explained.map((outcome) => [outcome, countOf(body[outcome])]));
      expect({ totals, outcomes, per_day, reasons, balanced }).toEqual(expected(kept));
    }),
    triesOfService(100),
  );
});

test('at every instant of a send stats balances, and its parts are of one moment', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const many = 400;
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, state, due_at) select $1, $2, 'pending', now() from generate_series(1, $3)`,
    [org.id, id, many],
  );
  let over = false;
  let reads = 0;
  const reading = (async () => {
    const seen = new Set<number>();
    for (; !over; reads++) seen.add(await readWhole(org, id));
    return seen;
  })();
  /** However slow the reader is, it is not left behind: two reads more, so that one began after this. */
  const readAgain = (): Promise<unknown> => {
    const before = reads;
    return Promise.race([reading, vi.waitUntil(() => reads > before + 1, { timeout: 20_000, interval: 5 })]);
  };
  for (let done = 0; done < many; done += 8) {
    await world().admin.query(
      `update deliveries set state = case when id % 4 = 0 then 'skipped' else 'sent' end,
         reason = case when id % 4 = 0 then 'opted_out' end, sent_at = case when id % 4 <> 0 then now() end,
         opened_at = case when id % 4 = 1 then now() end
       where id in (select id from deliveries where broadcast_id = $1 and state = 'pending' order by id limit 8)`,
      [id],
    );
    if (done % 80 === 0) await readAgain();
  }
  over = true;
  const seen = await reading;
  expect(seen.size).toBeGreaterThan(3); // it was read in between, not only before and after
  expect(await readWhole(org, id)).toBe(0);
});

/** Reads stats, judges that its parts agree, and answers how many are still to come. */
async function readWhole(org: TestOrg, id: string): Promise<number> {
  const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
  const sum = (list: readonly Record<string, number>[], name: string): number =>
    list.reduce((total, one) => total + one[name]!, 0);
  expect(body.balanced).toBe(true);
  expect(body.totals.recipients).toBe(400);
  expect(sum(body.per_day, 'sent')).toBe(body.totals.sent);
  expect(sum(body.per_day, 'opened')).toBe(body.totals.opened);
  expect(sum(body.skipped, 'count')).toBe(body.totals.skipped);
  return body.totals.pending;
}
