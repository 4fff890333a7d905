import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure, invalidRequest } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { AccountEmail } from '../accounts/email.ts';
import { hashToken, newToken } from '../accounts/token.ts';
import { requireManager, refuseAbove } from './hold-members.ts';
import { Invitation, openInvitations, toInvitation } from './invitation.ts';
import { MemberRole } from './member.ts';

const goodForMs = 7 * 86_400_000;
/** The next mail to the same address comes no sooner. */
const restMs = 600_000;
const mostOpen = 100;

export const inviteMember = defineOperation({
  name: 'invite_member',
  title: 'Invite somebody',
  summary:
    'Send a link to an address by which its owner, and nobody else, becomes a member. It works once, for 7 days. ' +
    'Another one to the same address takes its place.',
  permission: 'settings.write',
  power: 'manage_access',
  effect: 'add',
  faces: { rest: ['POST /v1/invitations'] },
  creates: true,
  input: z.strictObject({ email: AccountEmail, role: MemberRole }),
  output: z.object({ invitation: Invitation }),
  handle: async (work, { email, role }) => {
    const { db, org, caller } = work;
    refuseAbove(await requireManager(work), role);
    await refuseMember(work, email);
    await refuseTooMany(work, email);
    const token = newToken();
    const invitation = {
      id: newId(caller.now),
      email,
      role,
      invited_by: caller.actor.id,
      sent_at: caller.now,
      ends_at: new Date(caller.now.getTime() + goodForMs),
    };
    await forgetEnded(work);
    await db
      .insertInto('invitations')
      .values({ org_id: org, ...invitation, token_hash: hashToken(token) })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'email']).doUpdateSet({ ...invitation, token_hash: hashToken(token) }),
      )
      .execute();
    work.touched['invitation_id'] = invitation.id;
    work.letters?.push(await letterOf(work, email, token));
    return { invitation: toInvitation(invitation) };
  },
});

async function refuseMember({ db, org }: Work, email: string): Promise<void> {
  const member = await db
    .selectFrom('members')
    .select('id')
    .where('org_id', '=', org)
    .where('email', '=', email)
    .executeTakeFirst();
  if (member !== undefined) throw new Failure('already_member', 'A member has this address already.');
}

async function refuseTooMany(work: Work, email: string): Promise<void> {
  const { db, org, caller } = work;
  const last = await db
    .selectFrom('invitations')
    .select('sent_at')
    .where('org_id', '=', org)
    .where('email', '=', email)
    .executeTakeFirst();
  const wait = last === undefined ? 0 : last.sent_at.getTime() + restMs - caller.now.getTime();
  if (wait > 0)
    throw new Failure('rate_limited', 'Mail went to this address a moment ago. Wait some minutes.', {
      retryAfterSeconds: Math.ceil(wait / 1000),
    });
  const { count } = await openInvitations(work)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostOpen)
    throw invalidRequest([
      {
        pointer: '',
        code: 'too_many',
        detail: `At most ${mostOpen} invitations can be open. Take one back first.`,
      },
    ]);
}

/** An address whose invitation is over is not kept longer than it takes to write to it no more than now and then. */
async function forgetEnded({ db, org, caller }: Work): Promise<void> {
  await db
    .deleteFrom('invitations')
    .where('org_id', '=', org)
    .where('ends_at', '<=', caller.now)
    .where('sent_at', '<=', new Date(caller.now.getTime() - restMs))
    .execute();
}

/** Says nothing that the one who invites could write freely, such as the organization's name: it comes from us. */
async function letterOf({ db, org, caller, mail }: Work, to: string, token: string) {
  const { email } = await db
    .selectFrom('members')
    .select('email')
    .where('org_id', '=', org)
    .where('id', '=', caller.actor.id)
    .executeTakeFirstOrThrow();
  return {
    to,
    subject: 'You are invited to an organization on Rostrum',
    text:
      `${email} invites you to their organization:\n\n${mail.publicUrl}/invitation/${token}\n\n` +
      'The link works once, for 7 days. If you do not expect this, you need not do anything.\n',
  };
}
