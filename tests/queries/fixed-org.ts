import type pg from 'pg';
import { seedPeople } from '../../src/main/seed-people.ts';
import { newFurnished } from '../isolation/furnished-orgs.ts';
import { readyDraft } from '../support/broadcast.ts';
import type { Ids } from '../support/furnish.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { addRowsOfEverybody, inOrder } from './rows-of-everybody.ts';

/** An organization of fixed content: as many rows, of the same kinds, in every run. */
export interface FixedOrg {
  readonly org: TestOrg;
  /** The furnished row of each table, to which the many rows below refer. */
  readonly ids: Ids;
  /** Somebody of whom there is no more than of everybody. */
  readonly person: string;
  /** A draft that nothing keeps from being scheduled, one that is scheduled, one that is held, one that is being sent, one that has ended. */
  readonly drafts: Readonly<Record<'ready' | 'scheduled' | 'held' | 'sending' | 'ended', string>>;
  readonly workflows: { readonly live: string; readonly paused: string };
  /** Without a sender, without a webinar, and two that nothing came of. */
  readonly unused: {
    readonly domain: string;
    readonly connection: string;
    readonly webinar: string;
    readonly workflow: string;
  };
}

// So many that an index is quicker than the whole table: without it the count of buffers is another.
const people = 1_000;
const copies = 150;

export async function arrangeFixedOrg(world: World): Promise<FixedOrg> {
  const { admin, database, clock } = world;
  const { org, ids } = await newFurnished(world);
  // Whoever calls is a member too, by the id of the key.
  await admin.query("insert into members select $1, $2, 'caller@example.com', 'owner', now()", [
    org.id,
    org.keyId,
  ]);
  for (const { id } of [org, await world.newOrg()])
    await seedPeople(database, { org: id, people, now: clock.now() });
  for (const table of ['segments', 'imports']) await copyRow(admin, table, ids, copies);
  const [webinar = ''] = await copyRow(admin, 'webinars', ids, copies);
  await copyRow(admin, 'broadcasts', ids, copies, { segment_id: null, sender_id: null });
  const [live = '', paused = '', workflow = ''] = await copyRow(admin, 'workflows', ids, copies);
  const [connection = ''] = await copyRow(admin, 'platform_connections', ids, 1, { account_id: 'another' });
  const [domain = ''] = await copyRow(admin, 'sending_domains', ids, 1, { domain: 'example.org' });
  const { id: ready } = await readyDraft(world, org);
  const [scheduled = '', held = '', sending = '', ended = ''] = await copyRow(
    admin,
    'broadcasts',
    { ...ids, broadcasts: ready },
    4,
  );
  await admin.query(
    `update broadcasts set status = case id when $3 then 'sending' else 'scheduled' end, send_at = now() + interval '1 day',
       started_at = case id when $3 then now() end
     where org_id = $1 and id in ($2, $3, $4)`,
    [org.id, scheduled, sending, held],
  );
  await admin.query(
    `update broadcasts set hold_if_audience_changes_by = 100, planned_recipients = 1, held_at = now(), held_recipients = 9,
       planned_by = created_by
     where id = $1`,
    [held],
  );
  await admin.query(
    `with versions as (
       insert into workflow_versions (org_id, workflow_id, version, graph, drawn, published_at)
       select org_id, unnest(array[$2, $3]::uuid[]), version, graph, drawn, published_at from workflow_versions where org_id = $1)
     update workflows set status = case id when $2 then 'live' else 'paused' end, live_version = 1,
       trigger_kind = 'webinar_registration'
     where org_id = $1 and id in ($2, $3)`,
    [org.id, live, paused],
  );
  await addRowsOfEverybody(admin, {
    org: org.id,
    webinar: ids['webinars']!,
    workflow: live,
    broadcast: sending,
  });
  // In a finished broadcast, one in a hundred is uncertain.
  await admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at)
     select org_id, $2, id, 'pending', now() from people where org_id = $1`,
    [org.id, ended],
  );
  await admin.query(
    `update deliveries set state = case when id % 100 = 0 then 'uncertain' else 'sent' end,
       reason = case when id % 100 = 0 then 'interrupted' end
     where broadcast_id = $1`,
    [ended],
  );
  await admin.query(
    `update broadcasts set status = 'sent', send_at = now(), started_at = now(), prepared_at = now(), finished_at = now(),
       planned_by = created_by
     where id = $1`,
    [ended],
  );
  const { rows } = await admin.query<{ id: string }>(
    "select id from people where org_id = $1 and external_user_id = 'ext-7'",
    [org.id],
  );
  await admin.query('vacuum analyze');
  return {
    org,
    ids,
    person: rows[0]!.id,
    drafts: { ready, scheduled, held, sending, ended },
    workflows: { live, paused },
    unused: { domain, connection, webinar, workflow },
  };
}

/** The furnished row of a table so many times again, each with an id of its own. */
async function copyRow(
  admin: pg.Client,
  table: string,
  ids: Ids,
  times: number,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into ${table} select (jsonb_populate_record(t, $2::jsonb || jsonb_build_object('id', new_id(${inOrder('n')})))).*
     from ${table} t, generate_series(1, $3) n where t.id = $1 returning id`,
    [ids[table], JSON.stringify(fields), times],
  );
  return rows.map(({ id }) => id);
}
