import { useState } from 'react';
import type { Output } from '../../call/types.ts';
import { useAct, useAsk } from '../../call/use-call.ts';
import { count, people } from '../../format/number.ts';
import { Skeleton } from '../../ui/blank.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Broadcast } from '../state-pill.tsx';
import { reasonWords } from '../words.ts';

interface ResendDialogProps {
  readonly broadcast: Broadcast;
  readonly hasFailed: boolean;
  readonly onClose: () => void;
}

/** Plans as it opens, and sends to whom it shows: a plan sends once. */
export function ResendDialog({ broadcast, hasFailed, onClose }: ResendDialogProps) {
  const toast = useToast();
  const [include_failed, setIncludeFailed] = useState(false);
  const planned = useAsk('plan_resend_uncertain', { broadcast_id: broadcast.id, include_failed });
  const resend = useAct('resend_uncertain', [
    'get_broadcast',
    'get_broadcast_stats',
    'list_broadcasts',
    'list_broadcast_recipients',
  ]);
  const plan = planned.isFetching ? undefined : planned.data;
  const token = plan?.resend_token;
  const send = (resend_token: string): void =>
    void resend
      .mutateAsync({ broadcast_id: broadcast.id, resend_token })
      .then(() => {
        onClose();
        toast('It is being sent again');
      })
      .catch(() => undefined); // shown below
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send it again?"
      footer={
        <span className="row end">
          <Button kind="secondary" onClick={onClose}>
            Leave it
          </Button>
          <Button
            kind="primary"
            unless={
              plan === undefined
                ? 'It is being counted.'
                : token === undefined && (plan.checks[0]?.message ?? 'Nobody would get it.')
            }
            busy={resend.isPending && 'Sending'}
            onClick={() => token !== undefined && send(token)}
          >
            {plan === undefined ? 'Send again' : `Send again to ${people(plan.reachable)}`}
          </Button>
        </span>
      }
    >
      {hasFailed && (
        <Checkbox
          checked={include_failed}
          onChange={(event) => setIncludeFailed(event.target.checked)}
          label="Also whom the other side put off or refused, though not for their address"
        />
      )}
      {planned.error !== null ? (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{planned.error.message}</span>
        </p>
      ) : plan === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <Plan plan={plan} channel={broadcast.channel} />
      )}
      {resend.error !== null && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{resend.error.message}</span>
        </p>
      )}
    </Dialog>
  );
}

interface PlanProps {
  readonly plan: Output<'plan_resend_uncertain'>;
  readonly channel: Broadcast['channel'];
}

function Plan({ plan, channel }: PlanProps) {
  const words = (reason: string): string =>
    reason === 'arrived' ? 'their side tells that they have it' : reasonWords('skipped', reason, channel);
  return (
    <>
      <dl className="kv mt4">
        <dt>Uncertain</dt>
        <dd>{people(plan.uncertain)}</dd>
        {plan.failed > 0 && (
          <>
            <dt>Failed</dt>
            <dd>{people(plan.failed)}</dd>
          </>
        )}
        {plan.again > 0 && (
          <>
            <dt>Sent again before</dt>
            <dd>{people(plan.again)}</dd>
          </>
        )}
        {plan.excluded.length > 0 && (
          <>
            <dt>Left out</dt>
            <dd>
              {plan.excluded.map(({ reason, count: some }) => (
                <p key={reason}>
                  {count(some)} because {words(reason)}
                </p>
              ))}
            </dd>
          </>
        )}
        <dt>Would get it</dt>
        <dd>
          <b>{people(plan.reachable)}</b>
        </dd>
      </dl>
      {plan.uncertain > 0 && (
        <p className="muted mt4">
          Whoever has the first message gets a second one. It is the same message to the letter, so many mail
          programs show it once.
        </p>
      )}
      {plan.checks.map(({ code, message }) => (
        <p key={code} className="note bad mt4">
          <Icon name="bad" />
          <span>{message}</span>
        </p>
      ))}
    </>
  );
}
