import type pg from 'pg';
import { columns, mapping, toCells, type Listed } from '../imports/list.ts';
import { draft, longBody } from '../plan/bodies.ts';
import { arrange, newWebinar, type Setting } from '../send/arrange.ts';
import type { BenchOrg } from '../support/bench-database.ts';
import { tell } from '../support/command.ts';
import { longGraph } from './long-graph.ts';

/** What the attacker has, to make dear calls about. */
export interface Ground {
  readonly secret: string;
  readonly webinar: string;
  /** Everybody is in it. */
  readonly segment: string;
  /** To everybody, with the largest body. */
  readonly broadcast: string;
  /** The same, held at its time. */
  readonly held: string;
  /** Went to as many as are registered for the webinar. */
  readonly sent: string;
  /** The longest there may be, for the registrants of the webinar. */
  readonly workflow: string;
  /** Another one, which an attack changes. */
  readonly changing: string;
  /** The largest list. */
  readonly list: string;
  /** Lists that take rows, one for each connection. */
  readonly openLists: readonly string[];
  /** Addresses of people who have as many identifiers as one may have. */
  readonly crowded: readonly string[];
}

export interface GroundSize {
  readonly registrants: number;
  readonly listRows: number;
  readonly connections: number;
}

/** Nearly everybody, asked of the person and of a property. */
export const everybody = [
  { property: 'created_at', op: 'gt', value: '2000-01-01T00:00:00Z' },
  { custom_property_key: 'score', op: 'gte', value: 0 },
];
export const largestBody = longBody(260_000);

const rowsACall = 500;

export async function layGround(
  rows: pg.Client,
  org: BenchOrg,
  url: string,
  size: GroundSize,
): Promise<Ground> {
  tell(`arranging a webinar of ${size.registrants} registrants and a list of ${size.listRows} rows`);
  const setting = await arrange(rows, org, url);
  const post = <T>(path: string, body: unknown): Promise<T> =>
    setting.rest.call('POST', path, body) as Promise<T>;
  const { segment } = await post<{ segment: { id: string } }>('/v1/segments', {
    name: 'Everybody',
    filters: everybody,
  });
  const { broadcast } = await post<{ broadcast: { id: string } }>('/v1/broadcasts', {
    ...draft(largestBody),
    subject: 'To everybody',
    sender_id: setting.senderId,
  });
  const webinar = await newWebinar(setting, size.registrants);
  const newWorkflow = async (): Promise<string> => {
    const graph = longGraph({ bytes: 1_000, sender: setting.senderId });
    const { workflow } = await post<{ workflow: { id: string } }>('/v1/workflows', { name: 'Long', graph });
    return workflow.id;
  };
  return {
    secret: org.secret,
    webinar,
    segment: segment.id,
    broadcast: broadcast.id,
    held: await copyHeld(setting, broadcast.id),
    sent: await sentTo(setting, size.registrants),
    workflow: await newWorkflow(),
    changing: await newWorkflow(),
    list: await fill(setting, size.listRows),
    openLists: await Promise.all(Array.from({ length: size.connections }, () => openList(setting))),
    crowded: await crowd(setting, size.connections),
  };
}

async function openList({ rest }: Setting): Promise<string> {
  const { import_id } = (await rest.call('POST', '/v1/imports', { name: 'List', columns })) as {
    import_id: string;
  };
  await rest.call('PUT', `/v1/imports/${import_id}/mapping`, { mapping });
  return import_id;
}

async function fill(setting: Setting, count: number): Promise<string> {
  const list = await openList(setting);
  for (let from = 0; from < count; from += rowsACall) {
    await setting.rest.call('POST', `/v1/imports/${list}/rows`, { rows: someRows(from, rowsACall, '') });
  }
  return list;
}

/** Every second row is about somebody who is there. */
export const someRows = (from: number, count: number, company: string): object[] =>
  Array.from({ length: count }, (_, index): Listed => {
    const n = from + index;
    return {
      external_id: n % 2 === 0 ? `ext-${n + 1}` : `listed-${n}`,
      email: `listed-${n}@example.net`,
      phone: `+1777${String(n).padStart(7, '0')}`,
      first_name: `First ${n % 500}`,
      company: `${company}Company ${n % 7_000}`,
      seats: n % 1_000,
    };
  }).map(toCells);

/** Gives some people identifiers until there is no room for more. */
async function crowd({ rows, org }: Setting, count: number): Promise<string[]> {
  const { rows: found } = await rows.query<{ id: string; email: string }>(
    `select id, primary_email as email from people where org_id = $1 and primary_email is not null order by id limit $2`,
    [org.id, count],
  );
  await rows.query(
    `insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select $1, new_id(now()), person_id, 'anonymous_id', 'anonymous-' || n || '-' || person_id, false, n = 1, now()
     from unnest($2::uuid[]) person_id, generate_series(1, 47) n`,
    [org.id, found.map(({ id }) => id)],
  );
  return found.map(({ email }) => email);
}

/** A draft as it stands once its time has come and its audience has changed too much. */
async function copyHeld({ rows, org }: Setting, draftId: string): Promise<string> {
  const { rows: made } = await rows.query<{ id: string }>(
    `insert into broadcasts select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'status',
       'scheduled', 'send_at', now(), 'planned_recipients', 1, 'held_recipients', 2, 'held_at', now()))).*
     from broadcasts b where org_id = $1 and id = $2 returning id`,
    [org.id, draftId],
  );
  return made[0]!.id;
}

async function sentTo({ rows, org }: Setting, count: number): Promise<string> {
  const { rows: made } = await rows.query<{ id: string }>(
    `insert into broadcasts (org_id, id, status, channel, audience, subject, html, created_by, send_at, started_at,
       prepared_at, finished_at, created_at, updated_at)
     values ($1, gen_random_uuid(), 'sent', 'email', 'everyone', 'News', '<p>News</p>', '{}', now(), now(), now(), now(),
       now(), now()) returning id`,
    [org.id],
  );
  const { id } = made[0]!;
  await rows.query(
    `insert into deliveries (org_id, id, broadcast_id, person_id, due_at, attempts, state, address, reply, sent_at)
     select org_id, first_number_of_month(now()) + nextval('delivery_ids'), $2, id, now(), 1, 'sent', primary_email,
       '250 2.0.0 Ok', now() from people where org_id = $1 order by id limit $3`,
    [org.id, id, count],
  );
  await rows.query('update broadcasts set recipients = $3, sent = $3 where org_id = $1 and id = $2', [
    org.id,
    id,
    count,
  ]);
  return id;
}
