import type { VouchedIdentity } from '../../domain/accounts/sign-in-by-identity.ts';

/** What a browser takes along to the provider and back. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** An identity provider that the operator chose. */
export interface IdentityProvider {
  /** What people call it. */
  readonly name: string;
  readonly issuer: string;
  /** Where the browser goes. Nothing, if the provider is away. */
  begin(secrets: FlowSecrets): Promise<string | undefined>;
  /** Who it is, by the query the browser comes back with. Nothing, unless everything about it is proven. */
  finish(query: string, secrets: FlowSecrets): Promise<VouchedIdentity | undefined>;
}
