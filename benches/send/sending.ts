import { tell } from '../support/command.ts';
import { timesOf } from '../support/in-turns.ts';
import { processorSeconds } from '../support/process-figures.ts';
import type { Watched } from '../support/smtp-sink.ts';
import type { Sink } from '../support/start-sink.ts';
import { rivalNames, sentByRivals, type RivalName, type Rivals } from './rivals.ts';
import type { Service } from './service.ts';

export interface Parts {
  readonly sink: Sink;
  readonly service: Service;
  readonly rivals: Rivals;
  /** The processes of the database. */
  readonly backends: () => readonly number[];
}

export interface Rounds {
  readonly people: number;
  /** Messages measured in a turn. */
  readonly count: number;
  /** Turns are taken from every so many messages on, so many of them. */
  readonly every: number;
  readonly turns: number;
  /** When to stop, though not everybody was written to. */
  readonly until: number;
}

/** After how many messages turns were taken, and what everybody did in one of them. */
export interface Turn {
  readonly mark: number;
  readonly did: Readonly<Record<'ours' | RivalName, Watched>>;
}

export interface Sending {
  readonly turns: readonly Turn[];
  /** Milliseconds of processor time a message, by process. */
  readonly processor: ReadonlyMap<string, number>;
}

const inHand = 512; // two lanes of 256: what may come in a burst when they go on
const oursMs = 120_000;
const rivalMs = 4_000; // what is held must go on before it takes the mail server for dead

/**
 * Begins a broadcast and measures it: so many messages of ours, then the handlers are held and each rival sends as many
 * to the same server, and so on. The first messages after each change of turns are not counted.
 */
export async function measureSending(
  begin: () => Promise<void>,
  { sink, service, rivals, backends }: Parts,
  { people, count, every, turns: wanted, until }: Rounds,
): Promise<Sending> {
  const skip = Math.min(inHand, count);
  let byRivals = await sentByRivals(rivals);
  const before = (await sink.state()).messages - byRivals;
  const sent = async (): Promise<number> => (await sink.state()).messages - before - byRivals;
  const turns: Turn[] = [];
  const meter = startMeter(skip, {
    handlers: () => [service.pids.handlers],
    PostgreSQL: backends,
    Restate: () => [service.pids.restate],
    relay: () => [service.pids.relay],
    'the mail server': () => [sink.pid],
  });
  const meters = rivalNames.map((name) => ({
    name,
    meter: startMeter(skip, { [name]: () => [rivals[name].pid] }),
  }));
  const first = sink.watch({ skip: 1, count: 0, atMostMs: oursMs });
  await begin();
  await first; // the audience is prepared by then
  for (let mark = 0; mark < people && Date.now() < until; mark += every) {
    const away = mark - (await sent());
    if (away > 0) await sink.watch({ skip: away, count: 0, atMostMs: Math.max(0, until - Date.now()) });
    for (let turn = 0; turn < wanted && Date.now() < until; turn++) {
      const from = await sent();
      if (people - from < count + 2 * skip) break;
      const ours = await meter.during(() => sink.watch({ skip, count, atMostMs: oursMs }));
      const theirs: [RivalName, Watched][] = [];
      service.hold();
      for (const { name, meter: own } of meters) {
        const watched = await own.during(async () => {
          await rivals[name].go();
          const came = await sink.watch({ skip, count, atMostMs: rivalMs });
          await rivals[name].rest();
          return came;
        });
        theirs.push([name, watched]);
      }
      byRivals = await sentByRivals(rivals);
      service.release();
      if (ours.messages < count)
        throw new Error(`only ${ours.messages} of ${count} messages came within two minutes`);
      const did = { ours, ...Object.fromEntries(theirs) } as Turn['did'];
      turns.push({ mark, did });
      const rates = Object.entries(did).map(([name, watched]) => `${name} ${rateOf(watched).toFixed(0)}`);
      tell(`  from ${from}, messages a second: ${rates.join(', ')}`);
    }
  }
  return {
    turns,
    processor: new Map(
      [meter, ...meters.map(({ meter: own }) => own)].flatMap((one) => [...one.perMessage()]),
    ),
  };
}

const rateOf = ({ messages, ms }: Watched): number => (messages / ms) * 1000;

/** Messages a second in the middle of several turns. */
export const middleOf = (turns: readonly Turn[], who: 'ours' | RivalName): number =>
  timesOf(turns.map(({ did }) => rateOf(did[who]))).p50;

/** Adds up what processes take while something runs, and how many messages came of it, those not counted with them. */
function startMeter(skip: number, groups: Readonly<Record<string, () => readonly number[]>>) {
  const seconds = new Map<string, number>();
  let messages = 0;
  const readings = (): Map<number, [string, number]> =>
    new Map(
      Object.entries(groups).flatMap(([name, pids]) =>
        pids().map((pid): [number, [string, number]] => [pid, [name, processorSeconds(pid)]]),
      ),
    );
  return {
    during: async (run: () => Promise<Watched>): Promise<Watched> => {
      const from = readings();
      const watched = await run();
      for (const [pid, [name, to]] of readings()) {
        seconds.set(name, (seconds.get(name) ?? 0) + to - (from.get(pid)?.[1] ?? 0));
      }
      messages += watched.messages + skip;
      return watched;
    },
    perMessage: () => new Map([...seconds].map(([name, taken]) => [name, (taken / messages) * 1000])),
  };
}
