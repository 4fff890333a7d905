import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseFields } from '../../catalogue/parse-input.ts';
import type { Session } from '../../domain/accounts/session.ts';
import { acceptInvitation, invitationsTo, type Accepting } from '../../domain/members/accept-invitation.ts';
import { organizationsOf } from '../../domain/members/find-signed-in.ts';
import { makeOrganization } from '../../domain/members/make-organization.ts';
import { Failure } from '../../kernel/failure.ts';
import { OrganizationName } from '../../domain/orgs/settings.ts';
import type { Door } from './door.ts';

const NewOrganization = z.strictObject({
  name: OrganizationName,
  mode: z.enum(['live', 'test']),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Must be three capital letters, such as USD.')
    .default('USD'),
});

type Authenticate = (request: FastifyRequest) => Promise<Session>;

/** The user of a session in a call that is of no organization yet. */
export const actingAs = ({ clock }: Door, session: Session, request: FastifyRequest): Accepting => ({
  userId: session.userId,
  email: session.email,
  call: { requestId: request.id, address: request.ip, now: clock.now() },
});

/** What a user does before they are in an organization: see where they are, make one, accept an invitation. */
export function serveOrganizationCalls(scope: FastifyInstance, door: Door, authenticate: Authenticate): void {
  const { database, clock } = door;

  scope.get(
    '/account/organizations',
    { config: { operation: 'list_own_organizations', face: 'account' } },
    async (request) => {
      const { userId, email } = await authenticate(request);
      const organizations = await organizationsOf(database, userId);
      const invitations = await invitationsTo(database, email, clock.now());
      return {
        organizations: organizations.map(({ org_id, name, mode, role }) => ({ org_id, name, mode, role })),
        invitations: invitations.map(({ id, org_id, name, mode, role }) => ({
          invitation_id: id,
          organization: { org_id, name, mode },
          role,
        })),
      };
    },
  );

  scope.post(
    '/account/organizations',
    { config: { operation: 'create_organization', face: 'account' } },
    async (request, reply) => {
      const session = await authenticate(request);
      const organization = parseFields(NewOrganization, request.body ?? {}) as z.output<
        typeof NewOrganization
      >;
      const org_id = await makeOrganization(database, organization, actingAs(door, session, request));
      return reply.code(201).send({ organization: { org_id, ...organization }, role: 'owner' });
    },
  );

  scope.post<{ Params: { invitation_id: string } }>(
    '/account/invitations/:invitation_id/accept',
    { config: { operation: 'accept_invitation', face: 'account' } },
    async (request) => {
      const session = await authenticate(request);
      const invited = (await invitationsTo(database, session.email, clock.now())).find(
        ({ id }) => id === request.params.invitation_id.toLowerCase(),
      );
      const isIn = invited && (await acceptInvitation(database, invited, actingAs(door, session, request)));
      if (isIn !== true) throw new Failure('not_found', 'There is no such invitation to you.');
      const { org_id, name, mode, role } = invited!;
      return { organization: { org_id, name, mode }, role };
    },
  );
}
