import type { FastifyReply } from 'fastify';
import type { Keyring } from '../../database/work.ts';
import { newToken } from '../../domain/accounts/token.ts';
import { setFlow } from './cookies.ts';
import type { Door } from './door.ts';
import type { FlowSecrets, IdentityProvider } from './provider.ts';

const goodForMs = 10 * 60_000;

/** Why somebody goes to the provider: to sign in, or to link it to the account of a session. */
export type FlowPurpose = 'sign_in' | `link ${string}`;

/** What the cookie keeps of a way to the provider and back: when it began, and random bytes. */
const newFlow = (now: Date): string => `${now.getTime()}.${newToken()}`;

/**
 * State, nonce and verifier of a flow, by its cookie: whoever comes back without it, for another purpose or too late has
 * others. Nothing is stored.
 */
export function secretsOf(
  keys: Keyring,
  flow: string | undefined,
  purpose: FlowPurpose,
  now: Date,
): FlowSecrets | undefined {
  const began = Number(flow?.split('.', 1)[0]);
  if (flow === undefined || !(now.getTime() - began <= goodForMs)) return undefined;
  const secret = (name: string): string =>
    keys.mac(`identity provider ${name}`, Buffer.from(`${purpose}\0${flow}`)).toString('base64url');
  return { state: secret('state'), nonce: secret('nonce'), verifier: secret('verifier') };
}

/** Sends a browser on its way to the provider: where it goes, if the provider is there. */
export async function beginFlow(
  { parts, clock }: Door,
  provider: IdentityProvider,
  reply: FastifyReply,
  purpose: FlowPurpose,
): Promise<string | undefined> {
  const flow = newFlow(clock.now());
  const url = await provider.begin(secretsOf(parts.keys, flow, purpose, clock.now())!);
  if (url !== undefined) setFlow(reply, flow);
  return url;
}
