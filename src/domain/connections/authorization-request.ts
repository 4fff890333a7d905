import { permissions, type Permission } from '../../kernel/caller.ts';
import type { Client, FindClient } from './client.ts';
import { isListed } from './redirect-uri.ts';

/** What a client asks a user for, once all of it was checked. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** Of the verifier that the client alone knows (RFC 7636). */
  readonly challenge: string;
  readonly scopes: readonly Permission[];
  readonly state: string | undefined;
}

/** Something is wrong, and it is not even known to whom that may be told. */
export interface RefusedRequest {
  readonly kind: 'refused';
  readonly why: string;
}

/** Something is wrong that the client is told of. */
export interface FaultyRequest extends Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'> {
  readonly kind: 'faulty';
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  readonly why: string;
}

export type CheckedRequest =
  | { readonly kind: 'good'; readonly request: AuthorizationRequest }
  | RefusedRequest
  | FaultyRequest;

export interface RequestRules {
  readonly findClient: FindClient;
  /** The address of the tools, the one thing that tokens are for. */
  readonly resource: string;
  /** Permissions that some tool asks for. */
  readonly offered: readonly Permission[];
}

const longestState = 1_000;

/** Checks who asks and where the answer goes before anything else: until both are known, nobody is sent anywhere. */
export async function checkRequest(
  { findClient, resource, offered }: RequestRules,
  asked: URLSearchParams,
): Promise<CheckedRequest> {
  const refuse = (why: string): RefusedRequest => ({ kind: 'refused', why });
  const names = [...asked.keys()];
  if (new Set(names).size < names.length) return refuse('It says something twice.');
  const client = await findClient(asked.get('client_id') ?? '');
  if (client === undefined) return refuse('Nobody knows the program that asks. Begin again from there.');
  const redirectUri = asked.get('redirect_uri') ?? '';
  if (!isListed(client.redirectUris, redirectUri))
    return refuse('It would send the answer where the program that asks is not at home.');
  const state = asked.get('state') ?? undefined;
  const fault = (error: FaultyRequest['error'], why: string): FaultyRequest => {
    const known = { client, redirectUri, state };
    return { kind: 'faulty', ...known, error, why };
  };
  if ((state?.length ?? 0) > longestState) return fault('invalid_request', 'The state is too long.');
  if (asked.get('response_type') !== 'code')
    return fault('unsupported_response_type', 'response_type must be code.');
  const challenge = asked.get('code_challenge') ?? '';
  // Without a method the standard means plain, by which whoever sees the request can use the code.
  if (asked.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return fault('invalid_request', 'Send code_challenge, and S256 as code_challenge_method.');
  if (!isFor(resource, asked.get('resource')))
    return fault('invalid_target', `resource must be ${resource}.`);
  const scopes = scopesOf(asked.get('scope'), offered);
  if (scopes.length === 0) return fault('invalid_scope', 'None of these scopes is known here.');
  return { kind: 'good', request: { client, redirectUri, challenge, scopes, state } };
}

/** Whether a token is asked for this resource. Clients of older revisions do not say. */
export const isFor = (resource: string, asked: string | null | undefined): boolean =>
  asked === null || asked === undefined || URL.parse(asked)?.href === new URL(resource).href;

/** Unknown ones are passed over: clients add those of OpenID by habit. */
function scopesOf(asked: string | null, offered: readonly Permission[]): readonly Permission[] {
  if (asked === null || asked.trim() === '') return offered;
  const words = new Set(asked.split(/\s+/));
  return permissions.filter((one) => words.has(one) && offered.includes(one));
}
