import { useState } from 'react';
import { useAsk } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

type Delivery = Output<'list_person_deliveries'>['deliveries'][number];

const looks: Readonly<Record<Delivery['outcome'], readonly [IconName, string]>> = {
  sent: ['tick', 'sent'],
  skipped: ['right', ''],
  failed: ['close', 'failed'],
  uncertain: ['info', 'uncertain'],
  pending: ['clock', 'pending'],
};

/** What was sent, and why what was not sent was not. */
export function Sends({ id }: { readonly id: string }) {
  const asked = useAsk('list_person_deliveries', { person_id: id, limit: 50 });
  const { now, zone } = useNow();
  const [explained, setExplained] = useState<string>();
  if (asked.error !== null)
    return <Failed problem={asked.error} what="what was sent" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={6} />;
  if (asked.data.total === 0)
    return (
      <section>
        <p className="muted">Nothing was sent to this person, and nothing is waiting.</p>
      </section>
    );
  return (
    <section>
      <p className="hint">times in {cityOf(zone)}</p>
      <ul className="list flat">
        {asked.data.deliveries.map((delivery, place) => {
          const [icon, look] = looks[delivery.outcome];
          return (
            // A person may get a message of the same workflow twice, so there is no better key.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={place} className="top">
              <span className="grow col g1">
                <span className="medium">
                  {delivery.subject ?? (delivery.channel === 'sms' ? 'Text' : 'Message of a workflow')}
                </span>
                <span className="hint">
                  {moment(new Date(delivery.due_at), zone, now)}
                  {delivery.reason !== null && `, ${delivery.reason.replaceAll('_', ' ')}`}
                </span>
                {delivery.broadcast_id !== null &&
                  (explained === delivery.broadcast_id ? (
                    <Explained broadcast={delivery.broadcast_id} person={id} />
                  ) : (
                    <button
                      type="button"
                      className="link plain"
                      onClick={() => setExplained(delivery.broadcast_id ?? undefined)}
                    >
                      Why?
                    </button>
                  ))}
              </span>
              <span className={`pill ${look}`}>
                <Icon name={icon} />
                {delivery.outcome}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Explained({ broadcast, person }: { readonly broadcast: string; readonly person: string }) {
  const asked = useAsk('explain_recipient', { broadcast_id: broadcast, person_id: person });
  if (asked.error !== null) return <p className="err">{asked.error.message}</p>;
  if (asked.data === undefined) return <span className="hint">Looking it up</span>;
  return (
    <div className="note">
      <Icon name="info" />
      <div>
        <b>{asked.data.summary}</b>
        <ol className="mt1">
          {asked.data.steps.map(({ what, detail }) => (
            <li key={`${what}${detail}`}>{detail}</li>
          ))}
        </ol>
      </div>
    </div>
  );
}
