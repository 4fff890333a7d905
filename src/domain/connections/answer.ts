import type { AuthorizationRequest, FaultyRequest } from './authorization-request.ts';

type Answered = { readonly code: string } | { readonly error: FaultyRequest['error'] | 'access_denied' };

/**
 * The address that the browser takes the answer to. It names who answers, so that a client that talks to several servers
 * takes the code to no other (RFC 9207).
 */
export function answerAddress(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answered: Answered,
): string {
  const query = new URLSearchParams({ ...answered, ...(state !== undefined && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`;
}
