import { startOwnPostgres, type OwnPostgres } from '../../benches/support/own-postgres.ts';
import { RestClient } from '../../benches/support/rest-client.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import type { LocalRestate } from '../../src/main/local-restate.ts';
import type { Closing } from './broadcast-stage.ts';
import { engineOf, type Engine } from './engine.ts';
import { watchHands, type Hands } from './in-hand.ts';
import { until, type Part } from './part.ts';
import { secret, serviceParts } from './service-parts.ts';
import { startSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts';
import { furnishOrg, makeJourney, registerSeeded, type Invited } from './workflow-setting.ts';

/** Every part of the service as a process, a journey that is live, and everybody seeded registered for it. */
export interface WorkflowStage extends Engine {
  readonly postgres: OwnPostgres;
  readonly sink: SmtpSink;
  readonly hands: Hands;
  readonly api: Part;
  readonly handlers: Part;
  readonly relay: Part;
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

export async function openWorkflowStage(
  { people, restate, ...sinkOptions }: WorkflowStageOptions,
  closing: Closing,
): Promise<WorkflowStage> {
  const postgres = await startOwnPostgres();
  closing.push(postgres.remove, () => postgres.kill('SIGQUIT'));
  const sink = await startSink(sinkOptions);
  closing.push(sink.stop);
  const { org, key } = await furnishOrg(postgres.url, secret, people);
  const hands = await watchHands(postgres.url);
  const mail = { SMTP_URL: `smtp://127.0.0.1:${sink.port}` };
  const { env, url, handlers, relay, api } = await serviceParts(postgres.url, restate, closing, mail);
  api.start();
  await until(`${url}/health`);
  const made = await makeJourney(new RestClient(url, key));
  const invited = await registerSeeded(postgres.url, secret, { org, webinar: made.webinar });
  // Only now: everybody is to set out at once, under fire.
  handlers.start();
  relay.start();
  const parts = { postgres, sink, hands, api, handlers, relay, ...engineOf(restate, env) };
  return { ...parts, url, key, org, ...made, invited };
}
