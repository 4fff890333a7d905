import { useAsk } from '../../call/use-call.ts';
import { moment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Why somebody got it or not, step by step, in the service's sentences. */
export function Explained({ broadcast, person }: { readonly broadcast: string; readonly person: string }) {
  const { now, zone } = useNow();
  const asked = useAsk('explain_recipient', {
    broadcast_id: broadcast as never,
    person_id: person as never,
  });
  if (asked.error !== null) return <p className="err">{asked.error.message}</p>;
  if (asked.data === undefined) return <span className="hint">Looking it up</span>;
  return (
    <div className="note">
      <Icon name="info" />
      <div>
        <b>{asked.data.summary}</b>
        <ol className="mt1">
          {asked.data.steps.map(({ at, what, detail }) => (
            <li key={`${what}${detail}`}>
              {at !== null && <span className="hint">{moment(new Date(at), zone, now)} </span>}
              {detail}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
