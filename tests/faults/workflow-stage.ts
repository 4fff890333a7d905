import { RestClient } from '../../benches/support/rest-client.ts';
import { freePort } from '../../benches/support/server-process.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { LocalRestate } from '../../src/main/local-restate.ts';
import { registerHandlers } from '../../src/main/register-handlers.ts';
import type { Closing } from './broadcast-stage.ts';
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts';
import { Part, rearm, restatePart, until, type Killable } from './part.ts';
import { startSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts';
import { furnishOrg, makeJourney, registerSeeded, type Invited } from './workflow-setting.ts';

/** Every part of the service as a process, a journey that is live, and everybody seeded registered for it. */
export interface WorkflowStage {
  readonly postgres: OwnPostgres;
  readonly sink: SmtpSink;
  readonly api: Part;
  readonly handlers: Part;
  readonly relay: Part;
  readonly engine: Killable;
  /** Throws away everything the engine knew, and has it told again. */
  readonly loseEngine: () => Promise<void>;
  readonly url: string;
  readonly key: string;
  readonly org: OrgId;
  readonly webinar: string;
  /** The webinar's first start, and since when it was that. */
  readonly start: number;
  readonly from: number;
  readonly invited: Invited[];
}

export interface WorkflowStageOptions extends SinkOptions {
  readonly people: number;
  readonly restate: LocalRestate;
}

const secret = 'a secret for fault runs that guards nothing';

export async function openWorkflowStage(
  { people, restate, ...sinkOptions }: WorkflowStageOptions,
  closing: Closing,
): Promise<WorkflowStage> {
  const postgres = await startOwnPostgres();
  closing.push(postgres.remove, () => postgres.kill('SIGQUIT'));
  const sink = await startSink(sinkOptions);
  closing.push(sink.stop);
  const { org, key } = await furnishOrg(postgres.url, secret, people);
  const env = {
    DATABASE_URL: postgres.url,
    ROSTRUM_SECRET: secret,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    HANDLERS_PORT: String(await freePort()),
    PORT: String(await freePort()),
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  };
  const [handlers, relay, api] = [new Part('handlers', env), new Part('relay', env), new Part('api', env)];
  for (const part of [handlers, relay, api]) closing.push(() => part.kill('SIGTERM'));
  const url = `http://127.0.0.1:${env.PORT}`;
  api.start();
  await until(`${url}/ready`);
  const made = await makeJourney(new RestClient(url, key));
  const invited = await registerSeeded(postgres.url, secret, { org, webinar: made.webinar });
  // Only now: everybody is to set out at once, under fire.
  handlers.start();
  relay.start();
  const engine = inTurns(restatePart(restate));
  const loseEngine = async (): Promise<void> => {
    await engine.kill();
    await restate.wipe();
    await engine.start();
    await insist(() => registerHandlers([restate.adminUrl], `http://127.0.0.1:${env.HANDLERS_PORT}`));
    await insist(() => rearm(env));
  };
  return { postgres, sink, api, handlers, relay, engine, loseEngine, url, key, org, ...made, invited };
}

/** Whoever kills it is alone with it until they have started it again. */
function inTurns(part: Killable): Killable {
  let free = Promise.resolve();
  let release = (): void => undefined;
  return {
    name: part.name,
    kill: async () => {
      const before = free;
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      await before;
      release = resolve;
      await part.kill();
    },
    start: async () => {
      await part.start();
      release();
    },
  };
}

const tries = 60;

/** Something else may have been killed at this moment. */
async function insist(act: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await act();
      return;
    } catch (error) {
      if (tried >= tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
