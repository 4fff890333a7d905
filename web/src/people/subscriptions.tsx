import { useAsk } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { money } from '../format/number.ts';
import { day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useMe } from '../frame/me.ts';
import { Failed } from '../ui/blank.tsx';

type Subscription = Output<'list_subscriptions'>['subscriptions'][number];

/** What the payment processor says of a person. Nothing for somebody who never subscribed. */
export function Subscriptions({ id }: { readonly id: string }) {
  const asked = useAsk('list_subscriptions', { person_id: id });
  const { organization } = useMe();
  const { now, zone } = useNow();
  if (asked.error !== null)
    return <Failed problem={asked.error} what="subscriptions" retry={() => void asked.refetch()} />;
  if (asked.data === undefined || asked.data.subscriptions.length === 0) return null;
  const on = (at: string | null): string => (at === null ? '' : day(new Date(at), zone, now));
  const when = ({ canceled_at, trial_end, current_period_end, status }: Subscription): string =>
    canceled_at !== null
      ? `canceled ${on(canceled_at)}`
      : status === 'trialing' && trial_end !== null
        ? `trial until ${on(trial_end)}`
        : current_period_end === null
          ? ''
          : `until ${on(current_period_end)}`;
  return (
    <section aria-label="Subscriptions">
      <p className="h2">Subscriptions</p>
      <ul className="list flat">
        {asked.data.subscriptions.map((one) => (
          <li key={one.id}>
            <span className="grow col g1">
              <span className="ellipsis">{one.item_names.join(', ') || 'Subscription'}</span>
              <span className="hint">{when(one)}</span>
            </span>
            <span className="nowrap">{money(one.cost, organization.currency)}</span>
            <span className="pill plain">{one.status.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
