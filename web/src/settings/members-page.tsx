import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Input as InputOf, Output } from '../call/types.ts';
import { day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useMe, useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { Invite } from './invite.tsx';
import { roleChoices } from './role-choices.ts';
import { RoleTable } from './role-table.tsx';
import './settings.css';

type Role = InputOf<'change_member_role'>['role'];
type Member = Output<'list_members'>['members'][number];
type Invitation = Output<'list_invitations'>['invitations'][number];

export function MembersPage() {
  const org = useOrg();
  const members = useAsk('list_members', { limit: 200 });
  const invitations = useAsk('list_invitations', {});
  const [isInviting, setInviting] = useState(false);
  const whyNot = useWhyNot()('invite_member');
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Members">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Members</h1>
            <p className="sub">Who may work in this organization, and what they may do.</p>
          </div>
          <div className="acts">
            <Button kind="primary" unless={whyNot} onClick={() => setInviting(true)}>
              Invite
            </Button>
          </div>
        </div>
        {members.error !== null ? (
          <Failed problem={members.error} what="members" retry={() => void members.refetch()} />
        ) : members.data === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <div className="card scrolls">
            <table className="tbl tall">
              <thead>
                <tr>
                  <th className="first">Member</th>
                  <th>Role</th>
                  <th className="only-wide">Since</th>
                  <th className="last">
                    <span className="vh">Remove</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {members.data.members.map((member) => (
                  <MemberRow key={member.user_id} member={member} />
                ))}
                {invitations.data?.invitations.map((invitation) => (
                  <InvitationRow key={invitation.invitation_id} invitation={invitation} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <RoleTable />
        <div className="row g4 mt4">
          <CopyAsCall operation="list_members" input={{}} />
        </div>
      </div>
      <Invite open={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function MemberRow({ member }: { readonly member: Member }) {
  const { user } = useMe();
  const { now, zone } = useNow();
  const whyNot = useWhyNot();
  const toast = useToast();
  const change = useAct('change_member_role', ['list_members', 'get_me']);
  const remove = useAct('remove_member', ['list_members']);
  const isYou = member.user_id === user?.user_id;
  const refused = change.error ?? remove.error;
  const give = (role: Role): void =>
    change.mutate(
      { user_id: member.user_id, role },
      {
        onSuccess: () =>
          toast(`${member.email} is ${role} now`, () =>
            change.mutate({ user_id: member.user_id, role: member.role }),
          ),
      },
    );
  return (
    <tr>
      <td className="first">
        <div className="row g3">
          <span className="avatar" aria-hidden="true">
            {member.email.slice(0, 2).toUpperCase()}
          </span>
          <span className="col g1">
            <span className="medium">
              {member.email} {isYou && <span className="hint">you</span>}
            </span>
            {refused !== null && (
              <span className="err" role="alert">
                {refused.message}
              </span>
            )}
          </span>
        </div>
      </td>
      <td>
        <Select
          size="s"
          aria-label={`Role of ${member.email}`}
          disabled={whyNot('change_member_role') !== undefined || change.isPending}
          title={whyNot('change_member_role')}
          value={member.role}
          choices={roleChoices}
          onChange={(event) => give(event.target.value as Role)}
        />
      </td>
      <td className="muted only-wide">{day(new Date(member.since), zone, now)}</td>
      <td className="last num">
        {!isYou && (
          <Button
            kind="danger-ghost"
            size="s"
            unless={whyNot('remove_member')}
            busy={remove.isPending && 'Removing'}
            aria-label={`Remove ${member.email}`}
            onClick={() =>
              void remove.mutateAsync({ user_id: member.user_id }).then(
                () => toast(`${member.email} is no member any more`),
                () => undefined,
              )
            }
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { now, zone } = useNow();
  const whyNot = useWhyNot()('revoke_invitation');
  const revoke = useAct('revoke_invitation', ['list_invitations']);
  return (
    <tr>
      <td className="first">
        <div className="row g3">
          <span className="avatar" aria-hidden="true">
            <Icon name="mail" small />
          </span>
          <span className="medium">{invitation.email}</span>
        </div>
      </td>
      <td className="muted">{invitation.role}</td>
      <td className="only-wide">
        <span className="pill pending">
          <Icon name="clock" />
          Invited, until {day(new Date(invitation.ends_at), zone, now)}
        </span>
      </td>
      <td className="last num">
        <Button
          kind="danger-ghost"
          size="s"
          unless={whyNot}
          busy={revoke.isPending && 'Withdrawing'}
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => revoke.mutate({ invitation_id: invitation.invitation_id })}
        >
          Withdraw
        </Button>
      </td>
    </tr>
  );
}
