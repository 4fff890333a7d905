import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { orgTransaction } from '../../../src/database/org-transaction.ts';
import type { Database } from '../../../src/database/pool.ts';
import type { Work } from '../../../src/database/work.ts';
import { listBroadcastRecipients } from '../../../src/domain/broadcasts/outcome/list-broadcast-recipients.ts';
import { keyring } from '../../../src/main/keys.ts';
import { newSending } from '../../support/arrange-ledger.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

const many = 40_000;

/** A ledger in which nearly everybody has one of two ends, and a handful another, due last. */
async function fill(org: TestOrg, id: string): Promise<void> {
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, reason, due_at)
     select $1, $2, gen_random_uuid(), case when n % 2 = 0 then 'skipped' else 'pending' end,
       case when n % 2 = 0 then case when n > $3 - 20 then 'blacklisted' else 'opted_out' end end,
       timestamptz '2026-03-02T09:00:00Z' + n * interval '0.1 s'
     from generate_series(1, $3::int) n`,
    [org.id, id, many],
  );
  await world().admin.query('analyze deliveries');
}

/** Of many who have it, few answered, or it came back from them, due last. */
async function answer(org: TestOrg, id: string): Promise<void> {
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at, opened_at, replied_at, bounced_at, complained_at,
       unsubscribed_at)
     select $1, $2, gen_random_uuid(), 'sent', timestamptz '2026-03-02T09:00:00Z' + n * interval '0.1 s',
       case when n % 2 = 0 then now() end, case when n > $3 - 3 then now() end, case when n % 20 = 0 then now() end,
       case when n > $3 - 5 then now() end, case when n > $3 - 7 then now() end
     from generate_series(1, $3::int) n`,
    [org.id, id, many],
  );
  await world().admin.query('update broadcasts set sent = $2, pending = 0 where id = $1', [id, many]);
  await world().admin.query(
    `insert into broadcast_links (org_id, broadcast_id, link, url) values ($1, $2, 0, 'https://a.example/'),
       ($1, $2, 1, 'https://a.example/rare')`,
    [org.id, id],
  );
  await world().admin.query(
    `insert into tracking_hits (org_id, delivery_id, kind, link, at, agent, method, verdict, broadcast_id)
     select $1, d.id, 'click', case when n > $3 - 4 then 1 else 0 end, now(), '', 'GET', 'human', $2
     from (select id, row_number() over (order by id) as n from deliveries where broadcast_id = $2) d`,
    [org.id, id, many],
  );
  await world().admin.query('analyze deliveries');
  await world().admin.query('analyze tracking_hits');
}

/** How many rows of the ledger this connection has read and not yet reported. */
async function rowsRead(db: Database): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables
    where relname like 'deliveries\\_%' or relname like 'tracking\\_hits\\_%'`.execute(db);
  return rows[0]!.read;
}

/** Asks for a page, and answers it with how many rows of the ledger were read for it. */
const ask = (org: TestOrg, input: Record<string, unknown>) =>
  orgTransaction(world().database, org.id, 'read', async (db) => {
    const now = world().clock.now();
    const caller = { permissions: new Set(['people.read']) };
    const keys = keyring(world().config);
    const work = { db, org: org.id, now, touched: {}, caller, keys } as unknown as Work;
    const before = await rowsRead(db);
    const page = await listBroadcastRecipients.handle(work, listBroadcastRecipients.input.parse(input));
    return { page, read: (await rowsRead(db)) - before };
  });

test('a page reads the rows it shows and no more, wherever it is and whatever is asked', async () => {
  const org = await world().newOrg();
  const broadcast_id = await newSending(world(), org);
  await fill(org, broadcast_id);
  for (const [filter, most] of [
    [{}, 20],
    [{ outcome: 'pending' }, 20],
    [{ outcome: 'skipped' }, 20],
    [{ outcome: 'sent' }, 0],
    [{ reason: 'opted_out' }, 20],
    [{ reason: 'blacklisted' }, 10],
    [{ outcome: 'skipped', reason: 'blacklisted' }, 10],
  ] as const) {
    const { page, read } = await ask(org, { broadcast_id, ...filter, limit: 19 });
    expect({ filter, shown: page.recipients.length }).toEqual({ filter, shown: Math.min(most, 19) });
    expect({ filter, read }).toEqual({ filter, read: most });
  }
  let cursor: string | null = null;
  for (let page = 0; page < 90; page++) {
    const asked: Record<string, unknown> = {
      broadcast_id,
      outcome: 'skipped',
      limit: 200,
      ...(cursor !== null && { cursor }),
    };
    cursor = (await ask(org, asked)).page.next_cursor;
  }
  const far = await ask(org, { broadcast_id, outcome: 'skipped', limit: 19, cursor });
  expect([far.page.recipients.length, far.read]).toEqual([19, 20]);
});

test('whoever answered, and whoever followed a link, is found without reading the others', async () => {
  const org = await world().newOrg();
  const broadcast_id = await newSending(world(), org);
  await answer(org, broadcast_id);
  for (const [filter, found, most] of [
    [{ opened: true }, 19, 20],
    [{ opened: true, outcome: 'failed' }, 0, 0],
    [{ replied: true }, 3, 3],
    [{ bounced: true }, 19, 20],
    [{ complained: true }, 5, 5],
    [{ unsubscribed: true }, 7, 7],
    [{ complained: true, replied: true }, 3, 5],
    [{ unsubscribed: false }, 19, 20],
    // Those of the index of hits, and their rows.
    [{ link: 'https://a.example/' }, 19, 40],
    [{ link: 'https://a.example/rare' }, 4, 8],
  ] as const) {
    const { page, read } = await ask(org, { broadcast_id, ...filter, limit: 19 });
    expect({ filter, shown: page.recipients.length }).toEqual({ filter, shown: found });
    expect({ filter, isShort: read <= most }).toEqual({ filter, isShort: true });
  }
});
