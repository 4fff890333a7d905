import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { publicUrls } from '../../src/domain/delivery/outgoing/public-urls.ts';
import { keyring } from '../../src/main/keys.ts';
import { tell } from '../support/command.ts';
import { exactly, reaching, told, type Figure } from '../support/figure.ts';
import { forkScript } from '../support/forked.ts';
import { processorSeconds } from '../support/process-figures.ts';
import type { Setting } from './arrange.ts';
import type { Hits } from './hit-load.ts';
import { secret, type Service } from './service.ts';

const connections = 64;
const warming = 2_000; // hits, after which the API's code is warm on a slow machine as well
const links = 3; // of the letter
const patienceSeconds = 120;

/** The core is the API's alone only where nobody else works; its processor time is, wherever. */
interface HitBars {
  readonly onOneCore?: number;
  readonly ofProcessor?: number;
}

/**
 * Half of a broadcast's messages are opened, the other half clicked, over and over; then the ledger must say of each
 * message what was done with it, and of no other. The API has one core to itself, the rest shares the other.
 */
export async function hits(
  { rows, org }: Setting,
  broadcast: string,
  { service, backends }: { readonly service: Service; readonly backends: () => readonly number[] },
  { seconds, bars }: { readonly seconds: number; readonly bars: HitBars },
): Promise<Figure[]> {
  tell('opening and clicking');
  // Whatever comes within ten seconds of sending is taken for a machine.
  await rows.query(
    `update deliveries set sent_at = sent_at - interval '1 hour' where org_id = $1 and broadcast_id = $2`,
    [org.id, broadcast],
  );
  const { rows: sent } = await rows.query<{ id: string }>(
    `select id from deliveries where org_id = $1 and broadcast_id = $2 and state = 'sent' order by id`,
    [org.id, broadcast],
  );
  const keys = keyring({ ROSTRUM_SECRET: secret });
  const urls = sent.map(({ id }) => publicUrls(keys, '', { org: org.id, delivery: Number(id) }));
  const half = Math.floor(urls.length / 2);
  const opens = urls.slice(0, half).map(({ open }) => open);
  const clicks = urls.slice(half).map(({ click }, index) => click(index % links));

  const loader = forkScript(new URL('hit-load.ts', import.meta.url));
  const port = Number(new URL(service.url).port);
  const others = () => [
    loader.pid,
    service.pids.relay,
    service.pids.handlers,
    service.pids.restate,
    ...backends(),
  ];
  const load = async (paths: readonly string[], status: number, time: number, atLeast = 0) => {
    const before = processorSeconds(service.pids.api);
    const wanted = { port, paths, status, connections, seconds: time, atLeast };
    const done = await loader.ask<Hits>({ ask: 'load', ...wanted });
    return { ...done, processorMs: ((processorSeconds(service.pids.api) - before) / done.fetched) * 1000 };
  };
  try {
    const warm = await load(opens, 200, 0.3, warming);
    pin([service.pids.api], '0');
    pin(others(), '1');
    const opened = await load(opens, 200, seconds);
    const clicked = await load(clicks, 302, seconds);
    pin([service.pids.api, ...others()], '0,1');
    const hitOf = (paths: readonly string[], ...loads: readonly Hits[]): number =>
      Math.min(paths.length, Math.max(...loads.map(({ fetched }) => fetched)));
    const bothClicked = hitOf(clicks, clicked);
    const counted = await countedHits({ rows, org }, broadcast);
    return [
      ...judge('openings', opened, bars),
      told('openings: p50 ms, and p95', opened.p50, opened.p95),
      ...judge('clicks', clicked, bars),
      told('clicks: p50 ms, and p95', clicked.p50, clicked.p95),
      exactly('messages opened, by the ledger', counted.opened, hitOf(opens, warm, opened) + bothClicked),
      exactly('messages clicked, by the ledger', counted.clicked, bothClicked),
    ];
  } finally {
    await loader.stop();
  }
}

const judge = (name: string, hit: Hits & { processorMs: number }, bars: HitBars): Figure[] => {
  const onOneCore = (hit.fetched / hit.ms) * 1000;
  const ofProcessor = 1000 / hit.processorMs;
  return [
    reaching(`${name} a second, on one core`, onOneCore, bars.onOneCore),
    reaching(`${name} for a second of the API's processor time`, ofProcessor, bars.ofProcessor),
  ];
};

/** What the broadcast's totals say once every hit has been judged. */
async function countedHits(
  { rows, org }: Pick<Setting, 'rows' | 'org'>,
  broadcast: string,
): Promise<{ opened: number; clicked: number }> {
  for (const until = Date.now() + patienceSeconds * 1000; Date.now() < until; await pause(250)) {
    const { rows: left } = await rows.query(
      'select 1 from tracking_hits where org_id = $1 and verdict is null limit 1',
      [org.id],
    );
    if (left.length === 0) break;
  }
  const { rows: totals } = await rows.query<{ opened: number; clicked: number }>(
    'select opened::int, clicked::int from broadcasts where org_id = $1 and id = $2',
    [org.id, broadcast],
  );
  return totals[0]!;
}

/** Keeps processes to some cores; a machine that has not got them lets them run where they like. */
function pin(pids: readonly number[], cores: string): void {
  for (const pid of pids) {
    try {
      execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
    } catch {
      // one core only, or a process that has ended
    }
  }
}
