import { Link } from '@tanstack/react-router';
import { audienceOf, titleOf } from '../broadcasts/words.ts';
import { useAct, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Broadcast, Goings } from './goings.ts';

const most = 6;

/** Who gets what, when, and until when it can be taken back. */
export function GoingOut({ goings: { sending, scheduled } }: { readonly goings: Goings }) {
  const shown = [...sending, ...scheduled].slice(0, most);
  const rest = sending.length + scheduled.length - shown.length;
  return (
    <section className="card">
      <header>
        <h2>Going out</h2>
      </header>
      {shown.length === 0 ? (
        <p className="body muted">Nothing is scheduled.</p>
      ) : (
        <ul className="list">
          {shown.map((broadcast) => (
            <Going key={broadcast.id} broadcast={broadcast} />
          ))}
        </ul>
      )}
      {rest > 0 && <footer>And {count(rest)} more.</footer>}
    </section>
  );
}

function Going({ broadcast }: { readonly broadcast: Broadcast }) {
  const org = useOrg();
  const { now, zone } = useNow();
  const isSending = broadcast.status === 'sending';
  const { recipients, sent, skipped, failed } = broadcast.counts;
  const pending = Math.max(0, recipients - sent - skipped - failed);
  const { send_at, started_at } = broadcast.timing;
  return (
    <li className="top">
      <span className="pc">
        <span className={`pill ${broadcast.status}`}>
          <Icon name={isSending ? 'broadcast' : 'clock'} />
          {isSending ? 'Sending' : 'Scheduled'}
        </span>
      </span>
      <div className="grow">
        <Link className="medium" to="/o/$org/broadcasts/$broadcast" params={{ org, broadcast: broadcast.id }}>
          {titleOf(broadcast)}
        </Link>
        <div className="hint">
          to {audienceOf(broadcast)}
          {isSending
            ? started_at !== null && ` · since ${moment(new Date(started_at), zone, now)} ${cityOf(zone)}`
            : send_at !== null && ` · ${moment(new Date(send_at), zone, now)} ${cityOf(zone)}`}
        </div>
        {isSending && (
          <>
            <div className="bar xs mt2" aria-hidden="true">
              {(
                [
                  ['sent', sent],
                  ['skipped', skipped],
                  ['failed', failed],
                  ['pending', pending],
                ] as const
              ).map(
                ([part, size]) => size > 0 && <i key={part} className={`b-${part}`} style={{ flex: size }} />,
              )}
            </div>
            <div className="hint mt1">
              {count(sent)} sent, {count(skipped)} skipped, {count(pending)} to come of {count(recipients)}
            </div>
          </>
        )}
      </div>
      {!isSending && <PullBack broadcast={broadcast} />}
    </li>
  );
}

/** It can be done again at any time before it begins, so nothing is asked. */
function PullBack({ broadcast }: { readonly broadcast: Broadcast }) {
  const { now, zone } = useNow();
  const pull = useAct('unschedule_broadcast', ['list_broadcasts', 'get_broadcast']);
  const toast = useToast();
  const whyNot = useWhyNot()('unschedule_broadcast');
  const { send_at } = broadcast.timing;
  return (
    <div className="num">
      <Button
        size="s"
        icon="undo"
        unless={whyNot}
        busy={pull.isPending && 'Pulling back'}
        onClick={() =>
          pull.mutate(
            { broadcast_id: broadcast.id },
            { onSuccess: () => toast(`“${titleOf(broadcast)}” is a draft again`) },
          )
        }
      >
        Pull back
      </Button>
      <div className="hint mt1">
        {pull.error === null
          ? send_at !== null && `until ${moment(new Date(send_at), zone, now)}`
          : pull.error.message}
      </div>
    </div>
  );
}
