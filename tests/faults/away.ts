import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { atMost, exactly, reaching, told, type Figure } from '../../benches/support/figure.ts';
import { durable, startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { onDatabase } from './broadcast-setting.ts';
import { closeAll, openStage, type Closing, type Stage } from './broadcast-stage.ts';
import { restatePart, type Killable } from './part.ts';
import { keepRegistering, type Registrants } from './registrants.ts';
import { isOver } from './release.ts';
import { mountSmallDisk } from './small-disk.ts';
import { judgeWhole, untilAllDone } from './whole-judge.ts';

const plans = {
  small: { people: 2_000, delayMs: 40, everyMs: 100, waitMs: 2_000, patience: 300 },
  full: { people: 20_000, delayMs: 20, everyMs: 500, waitMs: 60_000, patience: 1_800 },
};
const seconds = {
  small: { postgres: 5, engine: 10, disk: 5 },
  full: { postgres: 60, engine: 600, disk: 60 },
};
/** Without a bound, the log of changes alone would fill any small disk. */
const disk = { megabytes: 1_024, settings: { ...durable, max_wal_size: '128MB' } };
/** Two lanes, a window each. */
const inHand = 2 * 64;

interface Outage {
  readonly name: string;
  readonly seconds: number;
  /** At which part of the broadcast it begins. */
  readonly at: number;
  /** How many registrations must have been told to come again: whether the outage was one. */
  readonly refused?: number;
  readonly happen: (ms: number) => Promise<void>;
}

/**
 * A broadcast and people who register, while PostgreSQL is away, then Restate, and then the disk of PostgreSQL is full.
 * Nobody does anything about it but start what ended. Nothing may be lost or sent twice.
 */
export async function away(size: Size, { seed }: Options): Promise<Figure[]> {
  const { people, delayMs, everyMs, waitMs, ...waiting } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const small = await mountSmallDisk(disk.megabytes);
    closing.push(small.remove);
    const startPostgres = () => startOwnPostgres(disk.settings, { under: small.folder });
    const sink = { delayMs, cutOneIn: Infinity, seed };
    const stage = await openStage({ people, ...sink, engine: restate, startPostgres }, closing);
    const engine = restatePart(restate);
    const outages: readonly Outage[] = [
      {
        name: 'PostgreSQL is away',
        seconds: seconds[size].postgres,
        at: 0.1,
        refused: 1,
        happen: (ms) => goneFor(stage.postgres, ms),
      },
      {
        name: 'Restate is away',
        seconds: seconds[size].engine,
        at: 0.4,
        happen: (ms) => goneFor(engine, ms),
      },
      {
        name: 'the disk is full',
        seconds: seconds[size].disk,
        at: 0.7,
        refused: 1,
        happen: async (ms) => {
          await small.fillFor(ms);
          await startIfEnded(stage.postgres);
        },
      },
    ];
    const id = await stage.begin();
    const registrants = await keepRegistering(stage, { everyMs, waitMs });
    closing.push(registrants.stop);
    const figures: Figure[] = [];
    for (const outage of outages) figures.push(...(await suffer(stage, id, { ...outage, registrants })));
    await registrants.stop();
    const isDone = await untilAllDone(stage.postgres.url, waiting);
    await stage.handlers.kill('SIGTERM');
    const { figures: whole, uncertain } = await judgeWhole(
      stage,
      registrants.all.map(({ email }) => email),
    );
    const { api, handlers, relay } = stage;
    return [
      ...figures,
      exactly('times all of it was done in the end', Number(isDone), 1),
      exactly(
        'times a part ended by itself',
        api.endedByItself + handlers.endedByItself + relay.endedByItself,
        0,
      ),
      told('registrations', registrants.all.length),
      exactly('  that got an answer such as 500', registrants.broken(), 0),
      ...whole,
      atMost('uncertain, of those in hand', uncertain, outages.length * inHand, 1),
    ];
  } finally {
    await closeAll(closing);
  }
}

async function suffer(
  stage: Stage,
  id: string,
  { registrants, ...outage }: Outage & { readonly registrants: Registrants },
): Promise<Figure[]> {
  const taken = async () => (await stage.sink.readLog()).taken.size;
  while ((await taken()) < outage.at * stage.people) await pause(50);
  const isMidway = !(await isOver(stage, id));
  const again = registrants.again();
  tell(`${await taken()} messages are out; ${outage.name} for ${outage.seconds} s`);
  await outage.happen(outage.seconds * 1_000);
  const back = { at: performance.now(), taken: await taken() };
  while ((await taken()) <= back.taken) await pause(50);
  return [
    exactly(`${outage.name} in mid-broadcast`, Number(isMidway), 1),
    told('  seconds', outage.seconds),
    told('  seconds from its end to the next message', (performance.now() - back.at) / 1_000),
    reaching('  registrations told to come again', registrants.again() - again, outage.refused),
  ];
}

async function goneFor(part: Killable, ms: number): Promise<void> {
  await part.kill();
  await pause(ms);
  await part.start();
}

/** A server that could not write its log of changes ends, and whoever runs it starts it again. */
async function startIfEnded({ url, start }: OwnPostgres): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const isThere = await onDatabase(url, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await pause(500);
  }
  tell('PostgreSQL ended, and is started again');
  await start();
}
