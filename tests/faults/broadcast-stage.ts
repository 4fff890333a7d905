import { tell } from '../../benches/support/command.ts';
import { startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { RestClient } from '../../benches/support/rest-client.ts';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { furnish, onDatabase, schedule } from './broadcast-setting.ts';
import { watchHands, type Hands } from './in-hand.ts';
import { until, type Part } from './part.ts';
import { secret, serviceParts, type EngineAddress } from './service-parts.ts';
import { startSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts';

/** Every part of the service as a process, and all it needs around it. */
export interface Stage {
  readonly postgres: OwnPostgres;
  readonly sink: SmtpSink;
  readonly hands: Hands;
  readonly api: Part;
  readonly handlers: Part;
  readonly relay: Part;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly key: string;
  readonly people: number;
  readonly optedOut: number;
  /** Drafts, plans and schedules a broadcast to everybody, and makes its time come. */
  begin(): Promise<string>;
}

/** What is to be ended afterwards, the last first. */
export type Closing = (() => Promise<unknown>)[];

export async function closeAll(closing: Closing): Promise<void> {
  // Whatever cannot be ended must not keep the others running.
  for (const close of closing.toReversed()) await close().catch((error: Error) => tell(error.message));
}

export interface StageOptions extends SinkOptions {
  readonly people: number;
  readonly engine: EngineAddress;
  /** A PostgreSQL of its own kind; one server otherwise. */
  readonly startPostgres?: () => Promise<OwnPostgres>;
  /** Settings beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function openStage(
  { people, engine, startPostgres = startOwnPostgres, env: settings, ...sinkOptions }: StageOptions,
  closing: Closing,
): Promise<Stage> {
  const postgres = await startPostgres();
  closing.push(postgres.remove, () => postgres.kill('SIGQUIT'));
  const sink = await startSink(sinkOptions);
  closing.push(sink.stop);
  const made = await furnish(postgres.url, secret, people);
  const hands = await watchHands(postgres.url);
  const mail = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, ...settings };
  const { env, url, handlers, relay, api } = await serviceParts(postgres.url, engine, closing, mail);
  for (const part of [handlers, relay, api]) part.start();
  await until(`${url}/health`);
  const begin = async (): Promise<string> => {
    const id = await schedule(new RestClient(url, made.key), made.webinar);
    // It is really scheduled, an hour ahead as it must be; then the hour passes.
    await onDatabase(postgres.url, (client) =>
      client.query('update broadcasts set send_at = now() where id = $1', [id]),
    );
    await tellEngine(postgres.url);
    return id;
  };
  return { ...made, env, url, postgres, sink, hands, api, handlers, relay, people, begin };
}

/** What the relay's own sweep does every half minute. */
export async function tellEngine(url: string): Promise<void> {
  const pool = openPool({ url, size: 1, onError: () => undefined });
  try {
    await sweep(openDatabase(pool), new Date(), 0);
  } finally {
    await pool.end();
  }
}
