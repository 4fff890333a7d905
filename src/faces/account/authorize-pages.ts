import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerAddress } from '../../domain/connections/answer.ts';
import {
  checkRequest,
  type CheckedRequest,
  type RequestRules,
} from '../../domain/connections/authorization-request.ts';
import type { Grant } from '../../domain/connections/grant-connection.ts';
import { hostOf } from '../../domain/connections/redirect-uri.ts';
import type { Session } from '../../domain/accounts/session.ts';
import type { Membership } from '../../domain/members/find-signed-in.ts';
import { permissions } from '../../kernel/caller.ts';
import { consentPage, organizationPage } from './consent-page.ts';
import { formOf, sessionOf, type Door } from './door.ts';
import { authorizePath, forgetNext, rememberNext } from './next-page.ts';
import { say, sendPage } from './page.ts';

/** What asking for a connection takes beside accounts. */
export interface ConnectParts {
  readonly rules: RequestRules;
  readonly organizationsOf: (user: string) => Promise<readonly Membership[]>;
  /** Answers with a code, or with nothing if there was nothing to grant. */
  readonly grant: (grant: Grant) => Promise<string | undefined>;
}

const tooLong = say('This could not be read', 'What the tool asks for is too long.');
const nowhere = say(
  'You are in no organization yet',
  'A tool works in an organization. Ask somebody to invite you to theirs, and begin again.',
);

/** A tool asks a user for a connection. Nobody is sent to it but by their own click. */
export function serveAuthorize(scope: FastifyInstance, door: Door, connect: ConnectParts): void {
  const { rules, organizationsOf, grant } = connect;
  const { publicUrl: issuer } = door;

  scope.get(
    authorizePath,
    { config: { operation: 'consent_page', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      if (session === undefined || session.awaitsCode)
        return rememberNext(reply, request.url)?.redirect('/sign-in', 303) ?? sendPage(reply, 400, tooLong);
      forgetNext(reply);
      const asked = new URL(request.url, issuer).searchParams;
      return show(await checkRequest(rules, asked), asked, session, reply);
    },
  );

  scope.post(
    authorizePath,
    { config: { operation: 'grant_connection', face: 'account' } },
    async (request, reply) => {
      const session = await sessionOf(door, request);
      const form = formOf(request);
      const asked = new URLSearchParams(form['asked']);
      if (session === undefined || session.awaitsCode)
        return (
          rememberNext(reply, `${authorizePath}?${asked.toString()}`)?.redirect('/sign-in', 303) ??
          sendPage(reply, 400, tooLong)
        );
      const checked = await checkRequest(rules, asked);
      if (checked.kind !== 'good') return show(checked, asked, session, reply);
      if (form['answer'] !== 'yes')
        return reply.redirect(answerAddress(checked.request, issuer, { error: 'access_denied' }), 303);
      const code = await grantTicked(checked.request, session, form, request);
      if (code !== undefined) return reply.redirect(answerAddress(checked.request, issuer, { code }), 303);
      asked.set('organization_id', form['organization_id'] ?? '');
      return show(checked, asked, session, reply, 'Tick at least one permission that you have there.');
    },
  );

  const grantTicked = async (
    request: Grant['request'],
    session: Session,
    form: Readonly<Record<string, string>>,
    { id, ip }: FastifyRequest,
  ): Promise<string | undefined> => {
    const organizations = await organizationsOf(session.userId);
    const chosen = organizations.find(({ org_id }) => org_id === form['organization_id']);
    if (chosen === undefined) return undefined;
    return grant({
      request,
      org: chosen.org_id,
      userId: session.userId,
      permissions: permissions.filter((one) => form[`allow ${one}`] === 'yes'),
      requestId: id,
      address: ip,
    });
  };

  const show = async (
    checked: CheckedRequest,
    asked: URLSearchParams,
    { userId, email }: Session,
    reply: FastifyReply,
    wrong?: string,
  ): Promise<FastifyReply> => {
    if (checked.kind === 'refused')
      return sendPage(reply, 400, say('This request is not right', `${checked.why} Nothing was done.`));
    if (checked.kind === 'faulty') {
      const back = {
        to: answerAddress(checked, issuer, { error: checked.error }),
        label: `Back to ${hostOf(checked.redirectUri)}`,
      };
      return sendPage(reply, 400, say('This request is not right', `${checked.why} Nothing was done.`, back));
    }
    const organizations = await organizationsOf(userId);
    if (organizations.length === 0) return sendPage(reply, 403, nowhere);
    const wanted = asked.get('organization_id');
    const organization =
      wanted === null && organizations.length === 1
        ? organizations[0]
        : organizations.find(({ org_id }) => org_id === wanted);
    if (organization === undefined)
      return sendPage(reply, 200, organizationPage(checked.request.client.name, asked, organizations));
    const hasOthers = organizations.length > 1;
    const view = { request: checked.request, asked, email, organization, hasOthers };
    return sendPage(
      reply,
      wrong === undefined ? 200 : 400,
      consentPage({ ...view, ...(wrong !== undefined && { wrong }) }),
    );
  };
}
