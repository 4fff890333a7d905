import Fastify, { type FastifyInstance } from 'fastify';
import { serveProviderWebhooks, type WebhookParts } from '../../src/faces/public/provider-webhooks.ts';
import { answerProblems } from '../../src/faces/rest/failure-to-problem.ts';
import { readJsonOnly } from '../../src/faces/rest/json-body.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import type { World } from '../support/world.ts';

/** The webhooks as the API mounts them, with parts of the test. */
export async function openWebhooks(
  { config, database, clock }: World,
  parts: Partial<WebhookParts & WebhookParts['byDefault']>,
): Promise<FastifyInstance> {
  const app = Fastify();
  answerProblems(app);
  readJsonOnly(app);
  await serveProviderWebhooks(app, {
    database,
    keys: keyring(config),
    mail: mailSettings(config),
    clock,
    byDefault: { sesTopicArns: [], mailgunSigningKey: undefined, ...parts },
    uncheckedAtOnce: 2,
    onShed: () => undefined,
    ...parts,
  });
  return app;
}

/** Posts a body and answers status and problem code. */
export async function post(
  app: FastifyInstance,
  url: string,
  body: unknown,
  type = 'text/plain; charset=UTF-8',
): Promise<{ status: number; code: string | undefined }> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
  return { status: answer.statusCode, code: answer.json()['code'] };
}
