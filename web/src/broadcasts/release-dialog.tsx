import type { Output } from '../call/types.ts';
import { useAct, useAsk } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Broadcast } from './state-pill.tsx';
import { reasonWords } from './words.ts';

interface ReleaseDialogProps {
  readonly broadcast: Broadcast;
  readonly onClose: () => void;
}

/** Counts anew as it opens, and releases for what it shows: whoever comes or goes meanwhile is told of. */
export function ReleaseDialog({ broadcast, onClose }: ReleaseDialogProps) {
  const toast = useToast();
  const fresh = useAsk('recount_broadcast', { broadcast_id: broadcast.id });
  const release = useAct('release_broadcast', ['get_broadcast', 'list_broadcasts']);
  const seen = fresh.isFetching ? undefined : fresh.data;
  const blocked = seen?.checks[0]?.message;
  const lookAgain = (): void => {
    release.reset();
    void fresh.refetch();
  };
  const send = (counted: number): void =>
    void release
      .mutateAsync({ broadcast_id: broadcast.id, counted })
      .then(() => {
        onClose();
        toast('Released: it begins now');
      })
      .catch(() => undefined); // shown below
  return (
    <Dialog
      open
      onClose={onClose}
      title="Release it?"
      footer={
        <span className="row end">
          <Button kind="secondary" onClick={onClose}>
            Keep it held
          </Button>
          {release.error?.code === 'audience_changed' ? (
            <Button kind="primary" onClick={lookAgain}>
              Count again
            </Button>
          ) : (
            <Button
              kind="primary"
              unless={seen === undefined ? 'It is being counted.' : blocked}
              busy={release.isPending && 'Releasing'}
              onClick={() => send(seen?.audience.recipients ?? 0)}
            >
              {seen === undefined ? 'Release' : `Release to ${people(seen.audience.reachable)}`}
            </Button>
          )}
        </span>
      }
    >
      {fresh.error !== null ? (
        <p className="note bad" role="alert">
          <Icon name="bad" />
          <span>{fresh.error.message}</span>
        </p>
      ) : seen === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <Fresh seen={seen} channel={broadcast.channel} hours={broadcast.timing.paced_over_hours ?? 0} />
      )}
      {release.error !== null && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{release.error.message}</span>
        </p>
      )}
    </Dialog>
  );
}

interface FreshProps {
  readonly seen: Output<'recount_broadcast'>;
  readonly channel: Broadcast['channel'];
  readonly hours: number;
}

function Fresh({ seen: { held, audience, checks }, channel, hours }: FreshProps) {
  const left = audience.excluded.map(
    (one) => `${count(one.count)} because ${reasonWords('skipped', one.reason, channel)}`,
  );
  return (
    <>
      <dl className="kv">
        <dt>Planned</dt>
        <dd>{people(held.planned)}</dd>
        <dt>When it was held</dt>
        <dd>{people(held.counted)}</dd>
        <dt>Now</dt>
        <dd>
          <b>{people(audience.recipients)}</b>
          <p className="hint">
            {count(audience.reachable)} would get it
            {left.length > 0 && `; left out: ${left.join(', ')}`}.
          </p>
        </dd>
      </dl>
      <p className="muted mt4">
        It begins at once{hours > 0 && ` and is spread over ${hours} hours from now on`}. What was sent cannot
        be taken back.
      </p>
      {checks.map(({ code, message }) => (
        <p key={code} className="note bad mt4">
          <Icon name="bad" />
          <span>{message}</span>
        </p>
      ))}
    </>
  );
}
