import { pushRegistrants, type Next } from '../../src/domain/webinars/platforms/push-registrants.ts';
import {
  connectPlatforms,
  platformSettings,
  type Connectors,
  type PlatformSettings,
} from '../../src/domain/webinars/platforms/registry.ts';
import { syncAttendance, type SyncNext } from '../../src/domain/webinars/platforms/sync-attendance.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar } from '../support/webinar.ts';
import type { World } from '../support/world.ts';
import { startGoto } from '../support/goto.ts';
import type { SimulatedPlatform } from '../support/simulated-platform.ts';
import { startZoom } from '../support/zoom.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const minute = 60_000;
export const hour = 60 * minute;

/** Every platform there is, for tests that hold for all of them. */
export const startPlatforms = async (): Promise<SimulatedPlatform[]> => [
  await startZoom(),
  await startGoto(),
];

/** Of twelve digits, which every platform takes. */
let number = 800_000_000_000;
export const newEvent = (): string => String(number++);

/** Connects an organization to the simulator over REST, and answers the connection. */
export async function connect(org: TestOrg, to: SimulatedPlatform, fields: Fields = {}): Promise<Json> {
  const { status, body } = await org.rest('POST /v1/platform-connections', {
    platform: to.platform,
    ...to.credentials,
    ...fields,
  });
  if (status !== 201 && status !== 200) throw new Error(`connect_platform: ${JSON.stringify(body)}`);
  return body.platform_connection;
}

export async function link(
  org: TestOrg,
  webinar: string,
  connection_id: string,
  event_id = newEvent(),
): Promise<Json> {
  const { status, body } = await org.rest(`PUT /v1/webinars/${webinar}/platform`, {
    connection_id,
    event_id,
  });
  if (status !== 200) throw new Error(`link_webinar answered ${status}: ${JSON.stringify(body)}`);
  return body.platform_link;
}

export interface Linked {
  readonly webinar: string;
  readonly event: string;
  readonly connection: string;
  readonly start: Date;
}

/** A webinar of an hour, linked to an event of its own. */
export async function linkedWebinar(
  org: TestOrg,
  to: SimulatedPlatform,
  fields: Fields = {},
): Promise<Linked> {
  const { id: connection } = await connect(org, to);
  const { id: webinar, start_time } = await createWebinar(org, { duration_minutes: 60, ...fields });
  const { event_id: event } = await link(org, webinar, connection, to.newEvent());
  return { webinar, event, connection, start: new Date(start_time) };
}

const nowhere = Object.fromEntries(Object.keys(platformSettings).map((name) => [name, 'http://127.0.0.1:9']));

/** To a simulator, and to no other platform. */
export const connectorsTo = ({ settings }: SimulatedPlatform, timeoutMs?: number): Connectors =>
  connectPlatforms(
    { ...nowhere, ...settings } as PlatformSettings,
    timeoutMs === undefined ? {} : { timeoutMs },
  );

const partsOf = (
  { database, config }: World,
  to: SimulatedPlatform,
  now: () => Date,
  timeoutMs = 15_000,
) => ({
  database,
  keys: keyring(config),
  mail: mailSettings(config),
  clock: { now },
  connectors: connectorsTo(to, timeoutMs),
});

/** Pushes as the engine does, at a moment, until it would wait. Answers what it waits for. */
export async function pushAt(
  world: World,
  org: TestOrg,
  to: SimulatedPlatform,
  webinar: string,
  at: Date = new Date(),
  timeoutMs?: number,
): Promise<Next | undefined> {
  const parts = partsOf(world, to, () => at, timeoutMs);
  let next = await pushRegistrants(parts, { org: org.id, webinar });
  while (next !== undefined && next.waitMs === 0) {
    next = await pushRegistrants(parts, { org: org.id, webinar, ...next });
  }
  return next;
}

/** Reads the report as the engine does, at a moment by the service's clock, until it would wait. */
export async function syncAt(
  world: World,
  org: TestOrg,
  to: SimulatedPlatform,
  webinar: string,
  at: Date,
  timeoutMs?: number,
): Promise<SyncNext> {
  const parts = partsOf(world, to, () => at, timeoutMs);
  let next = await syncAttendance(parts, { org: org.id, webinar });
  while (next.outcome === 'on' && next.waitMs === 0) next = await syncAttendance(parts, next.ref);
  return next;
}

/** Goes on with a report from where it stood. */
export const syncOn = (world: World, to: SimulatedPlatform, next: SyncNext, at: Date): Promise<SyncNext> => {
  if (next.outcome !== 'on') throw new Error(`there is nothing to go on with: ${next.outcome}`);
  return syncAttendance(
    partsOf(world, to, () => at),
    next.ref,
  );
};

export async function registrationOf({ admin }: World, id: string): Promise<Json> {
  const { rows } = await admin.query('select * from registrations where id = $1', [id]);
  return rows[0];
}

export async function linkOf({ admin }: World, webinar: string): Promise<Json> {
  const { rows } = await admin.query('select * from platform_links where webinar_id = $1', [webinar]);
  return rows[0];
}

/** Everybody who is recorded as attended, by address. */
export async function attendees({ admin }: World, webinar: string): Promise<string[]> {
  const { rows } = await admin.query<{ email: string }>(
    `select p.primary_email as email from registrations r join people p on p.id = r.person_id
     where r.webinar_id = $1 and r.attended order by 1`,
    [webinar],
  );
  return rows.map(({ email }) => email);
}
