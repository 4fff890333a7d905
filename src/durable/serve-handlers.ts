import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as restate from '@restatedev/restate-sdk';
import type { Database } from '../database/pool.ts';
import type { LookUp } from '../domain/senders/look-up.ts';
import type { SyncParts } from '../domain/webinars/platforms/sync-attendance.ts';
import { systemClock } from '../kernel/clock.ts';
import { slots, type Slots, type SlotsOptions } from '../kernel/slots.ts';
import type { Tracer } from '../kernel/trace.ts';
import { startRun } from '../domain/broadcasts/sending/start-run.ts';
import type { RunParts } from '../domain/broadcasts/sending/run.ts';
import { attendanceSync } from './attendance-sync.ts';
import { broadcastRun } from './broadcast-run.ts';
import { broadcastStart } from './broadcast-start.ts';
import { sendingDomains } from './check-domain.ts';
import { fenceObject } from './fence-object.ts';
import { historyObject } from './history-object.ts';
import { importRun } from './import-run.ts';
import { mountHandlers } from './mount-handlers.ts';
import { organizationRemoval } from './organization-removal.ts';
import { personProperties } from './person-properties.ts';
import { propertyRemoval } from './property-removal.ts';
import { platformPush } from './push-registrant.ts';
import { release } from './release.ts';
import { testSend } from './test-send.ts';
import { waitClock } from './wait-clock.ts';

// Webinars; each holds a connection to the database for moments only. A platform that hangs must not hold up the
// engine's other work.
const platformsAtOnce = 8;
const spareLanes = 2; // beside `lanesAtOnce`, for lanes that come to work
const startsAtOnce = 4; // broadcasts; a moment each
const spareStarts = 2; // beside them, for broadcasts to few
const changesAtOnce = 4; // of properties
const removalsAtOnce = 2; // no caller waits for them
// Whoever waits here holds a place of the engine, which has 128: alarms must find one. All others are told again.
const waiting = { own: 8, all: 24, longestMs: 5_000 };
const drainMs = 30_000; // longer than a message takes to be handed over
const drainLookMs = 20;

export interface HandlersOptions {
  readonly database: Database;
  readonly host: string;
  readonly port: number;
  /** The engine's public key: a request it did not sign is refused. */
  readonly identityKey: string;
  readonly lookUp: LookUp;
  readonly keys: RunParts['keys'];
  readonly mail: RunParts['mail'];
  readonly providers: RunParts['providers'];
  readonly fence: RunParts['fence'];
  readonly journal?: RunParts['journal'];
  readonly onOutcomes?: RunParts['onOutcomes'];
  /** How many broadcasts may be at work at once; each holds a connection to the database. */
  readonly lanesAtOnce: number;
  /** How many clocks may be releasing waits at once; each holds a connection to the database. */
  readonly clocksAtOnce: number;
  /** How many imports may be committing at once; each holds a connection to the database. */
  readonly importsAtOnce: number;
  readonly connectors: SyncParts['connectors'];
  readonly tracer?: Tracer | undefined;
  readonly log: (level: 'info' | 'warn' | 'error', fields: object, message: string) => void;
}

export interface Handlers {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens for the engine over HTTP/2. Work that another release began is turned away: its steps may be others. Closing
 * waits for running handlers; the engine calls again for the rest.
 */
export async function serveHandlers(options: HandlersOptions): Promise<Handlers> {
  const { database, log } = options;
  const stop = new AbortController();
  const places: Slots[] = [];
  const newPlaces = (atOnce: number, more?: SlotsOptions): Slots => {
    const made = slots(atOnce, { ...waiting, ...more });
    places.push(made);
    return made;
  };
  const handler = restate.createEndpointHandler({
    services: [
      fenceObject,
      historyObject,
      ...mountHandlers(
        {
          PersonProperties: personProperties(
            { database, stopping: stop.signal },
            newPlaces(changesAtOnce),
            (request_id, org_id) => log('info', { request_id, org_id }, 'custom properties applied'),
          ),
          BroadcastStart: broadcastStart({
            database,
            clock: systemClock,
            stopping: stop.signal,
            places: newPlaces(startsAtOnce, { spare: spareStarts }),
            deliver: startRun(options),
            onRung: ({ org_id, broadcast_id }, outcome) =>
              log('info', { org_id, broadcast_id, outcome }, 'the alarm of a broadcast rang'),
          }),
          BroadcastRun: broadcastRun(
            { ...options, clock: systemClock, stopping: stop.signal },
            newPlaces(options.lanesAtOnce, { own: 1, spare: spareLanes }),
            (fields, message) => log('info', fields, message),
          ),
          WaitClock: waitClock(
            { ...options, clock: systemClock, stopping: stop.signal },
            newPlaces(options.clocksAtOnce),
            (fields, message) => log('info', fields, message),
          ),
          ImportRun: importRun(
            { ...options, clock: systemClock, stopping: stop.signal },
            newPlaces(options.importsAtOnce),
            (fields, message) => log('info', fields, message),
          ),
          PropertyRemoval: propertyRemoval(
            { database, clock: systemClock, stopping: stop.signal },
            newPlaces(removalsAtOnce),
            (fields, message) => log('info', fields, message),
          ),
          OrganizationRemoval: organizationRemoval(
            { database, clock: systemClock, stopping: stop.signal },
            newPlaces(removalsAtOnce),
            (fields, message) => log('info', fields, message),
          ),
          PlatformPush: platformPush(
            { ...options, clock: systemClock, stopping: stop.signal },
            newPlaces(platformsAtOnce),
          ),
          AttendanceSync: attendanceSync(
            { ...options, clock: systemClock, stopping: stop.signal },
            newPlaces(platformsAtOnce),
            (fields, message) => log('info', fields, message),
          ),
          TestSend: testSend({ ...options, clock: systemClock }, (fields) =>
            log('info', fields, 'a broadcast was sent as a test'),
          ),
          SendingDomains: sendingDomains({ ...options, ...options.mail }, systemClock, (outcome, fields) => {
            if (outcome === 'lost') log('warn', fields, 'a sending domain lost its standing');
            if (outcome === 'verified') log('info', fields, 'a sending domain was verified');
          }),
        },
        options.tracer,
      ),
    ],
    identityKeys: [options.identityKey],
    logger: (meta, message, ...rest) => {
      const level = meta.level === 'error' ? 'error' : meta.level === 'warn' ? 'warn' : undefined;
      if (level !== undefined)
        log(level, { engine: String(message).trim(), ...kindOf(rest) }, 'engine handler');
    },
  });
  const path = `/${release()}/`;
  const server = http2.createServer((request, response) => {
    if (request.url.startsWith(path)) handler(request, response);
    else response.writeHead(http2.constants.HTTP_STATUS_MISDIRECTED_REQUEST).end();
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const until = performance.now() + drainMs;
      stop.abort();
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          for (const session of sessions) session.destroy();
          resolve();
        }, drainMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        for (const session of sessions) session.close();
      });
      // After the engine has hung up, actions that it asked for still run, and have yet to write their outcome.
      while (places.some(({ unused }) => !unused) && performance.now() < until) await pause(drainLookMs);
    },
  };
}

/** The kind of an error and where it was thrown. Its message may quote a caller's data, and stays out of the log. */
function kindOf(details: readonly unknown[]): object {
  const error = details.find((one) => one instanceof Error);
  if (error === undefined) return {};
  const place = /\/(src\/[\w./-]+:\d+|dist\/[\w./-]+:\d+:\d+)/.exec(error.stack ?? '')?.[1];
  return { error: error.name, code: (error as { code?: unknown }).code, place };
}
