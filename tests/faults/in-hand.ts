import { setTimeout as pause } from 'node:timers/promises';
import { atMost, exactly, told, type Figure } from '../../benches/support/figure.ts';
import { onDatabase } from './broadcast-setting.ts';
import type { Killable } from './part.ts';
import { PatientRows } from './workflow-rows.ts';

/** A message that nobody can tell whether it was sent. */
export interface Uncertain {
  readonly id: string;
  readonly reason: string | null;
  /** As the log of the mail server calls it. */
  readonly message: string;
}

/** What handlers had in hand when they died, or PostgreSQL or the engine under them: only that may be uncertain for it. */
export interface Hands {
  /** The same part, whose kills are looked at. Killing any other part takes nothing out of anybody's hands. */
  readonly ofHandlers: (handlers: Killable) => Killable;
  readonly ofPostgres: (postgres: Killable) => Killable;
  /** A step whose engine died may hear of the next step before it has handed its window over, and then must not. */
  readonly ofEngine: (engine: Killable) => Killable;
  readonly whileEngineIsLost: (lose: () => Promise<void>) => Promise<void>;
  readonly judge: (uncertain: readonly Uncertain[], around: Around) => Promise<Figure[]>;
}

interface Around {
  /** Messages cut off by the mail server. */
  readonly cut: ReadonlySet<string>;
  readonly messages: number;
}

// Of a step that the engine lost sight of, the next step gives up what it has in hand. That is corrected when it has
// been handed over; until then it is still in hand.
const handOverMs = 5_000;
/** If more were in hand, that whoever is uncertain was among them would say little. */
const mostInHand = 1 / 4;
const longestPauseMs = 500;
const connections = 10; // to the mail server, as SMTP_CONNECTIONS is by default

const givenUp = `
  create table given_up (delivery_id bigint not null, at timestamptz not null default clock_timestamp());
  create function note_given_up() returns trigger language plpgsql security definer as $$
  begin
    insert into public.given_up (delivery_id) values (new.id);
    return null;
  end $$;
  create trigger given_up after update on deliveries for each row
    when (old.state = 'sending' and new.state = 'uncertain') execute function note_given_up();`;

export async function watchHands(url: string): Promise<Hands> {
  await onDatabase(url, (client) => client.query(givenUp));
  const rows = new PatientRows(url);
  const inHand = new Set<string>();
  const looks: Promise<void>[] = [];
  const withoutEngine: [from: number, to: number][] = [];
  let deaths = 0;

  const look = async (died: number): Promise<void> => {
    // One statement to PostgreSQL, so one transaction. The lock waits for whatever a dead process was still committing.
    const [, , seen] = await rows.script<{ id: string }>(`
      begin; lock table deliveries in share mode;
      select id::text from deliveries where state = 'sending'
      union select delivery_id::text from given_up where at > to_timestamp(${(died - handOverMs) / 1000});
      commit`);
    for (const { id } of seen ?? []) inHand.add(id);
  };
  const note = (): Promise<void> => {
    const looking = look(Date.now());
    looks.push(looking);
    return looking;
  };
  return {
    ofHandlers: (handlers) => {
      let looking = Promise.resolve();
      return {
        name: handlers.name,
        kill: async () => {
          await handlers.kill();
          deaths++;
          looking = note();
        },
        // If the database is away as well, they come up without it.
        start: async () => {
          await Promise.race([looking, pause(longestPauseMs)]);
          await handlers.start();
        },
      };
    },
    ofPostgres: (postgres) => {
      let died = 0;
      return {
        name: postgres.name,
        kill: async () => {
          died = Date.now();
          await postgres.kill();
        },
        start: async () => {
          await postgres.start();
          const looking = look(died);
          looks.push(looking);
          await looking;
        },
      };
    },
    ofEngine: (engine) => {
      let died = 0;
      return {
        name: engine.name,
        kill: async () => {
          died = Date.now();
          await engine.kill();
        },
        start: async () => {
          await engine.start();
          withoutEngine.push([died, Date.now() + handOverMs]);
        },
      };
    },
    whileEngineIsLost: async (lose) => {
      const from = Date.now();
      await lose();
      withoutEngine.push([from, Date.now() + handOverMs]);
    },
    judge: async (uncertain, { cut, messages }) => {
      await Promise.all(looks);
      for (const [from, to] of withoutEngine) {
        const seen = await rows.query<{ id: string }>(
          `select delivery_id::text as id from given_up where at between to_timestamp($1) and to_timestamp($2)`,
          [from / 1000, to / 1000],
        );
        for (const { id } of seen) inHand.add(id);
      }
      await rows.close();
      const unexplained = uncertain.filter(({ id, reason, message }) =>
        reason === 'no_answer' ? !cut.has(message) : !inHand.has(id),
      );
      return [
        told('uncertain', uncertain.length, messages),
        told('  for want of an answer', uncertain.filter(({ reason }) => reason === 'no_answer').length),
        atMost(
          '  interrupted, of connections times kills of handlers',
          uncertain.filter(({ reason }) => reason === 'interrupted').length,
          deaths * connections,
          1,
        ),
        exactly('  neither in hand at a kill nor cut off', unexplained.length, 0),
        atMost('in hand at the kills, of all messages', inHand.size, messages, mostInHand),
      ];
    },
  };
}
