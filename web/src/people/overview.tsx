import { useAct, useAsk } from '../call/use-call.ts';
import { money } from '../format/number.ts';
import { cityOf, day, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useMe, useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';
import { DeletePerson } from './delete-person.tsx';
import { nameOf } from './name.ts';
import { Runs } from './runs.tsx';
import { Score } from './score.tsx';
import { Subscriptions } from './subscriptions.tsx';
import type { PersonRecord } from './record.ts';

export function Overview({ person }: { readonly person: PersonRecord }) {
  const { organization } = useMe();
  const { now, zone } = useNow();
  const when = (at: string | null): string => (at === null ? 'Never' : moment(new Date(at), zone, now));
  return (
    <>
      <section>
        <dl className="kv">
          <dt>Health</dt>
          <dd>
            {person.health_band === null ? (
              '—'
            ) : (
              <>
                <span className={`band ${person.health_band}`}>{person.health_band}</span>{' '}
                <span className="hint">score {person.health_score}</span>
              </>
            )}
          </dd>
          <dt>Subscription</dt>
          <dd>
            {person.subscription_status === null
              ? '—'
              : `${person.subscription_status.replaceAll('_', ' ')}, ${money(person.mrr, organization.currency)} a month`}{' '}
            {person.next_payment_date !== null && (
              <span className="hint">renews {day(new Date(person.next_payment_date), zone, now)}</span>
            )}
          </dd>
          <dt>Lifetime value</dt>
          <dd>{money(person.ltv, organization.currency)}</dd>
          <dt>External id</dt>
          <dd className={person.external_user_id === null ? undefined : 'mono ellipsis'}>
            {person.external_user_id ?? '—'}
          </dd>
          <dt>Last opened</dt>
          <dd>{when(person.last_opened_at)}</dd>
          <dt>Last clicked</dt>
          <dd>{when(person.last_clicked_at)}</dd>
          <dt>Last replied</dt>
          <dd>{when(person.last_replied_at)}</dd>
          <dt>Known since</dt>
          <dd>
            {when(person.created_at)} {cityOf(zone)}
          </dd>
        </dl>
      </section>
      <Score id={person.id} />
      <OptOuts person={person} />
      <Subscriptions id={person.id} />
      <Runs id={person.id} />
      <section>
        <DeletePerson person={person} />
      </section>
    </>
  );
}

const channels = [
  ['email_opt_out', 'Email'],
  ['sms_opt_out', 'Texts'],
] as const;

/** Done at once, with an undo: both directions can be taken back. */
function OptOuts({ person }: { readonly person: PersonRecord }) {
  const asked = useAsk('get_opt_outs', { person_id: person.id });
  const set = useAct('set_opt_outs', ['get_opt_outs', 'list_person_events']);
  const whyNot = useWhyNot()('set_opt_outs');
  const toast = useToast();
  if (asked.data === undefined) return null;
  const { opt_outs } = asked.data;
  return (
    <section aria-label="Marketing">
      <p className="h2">Marketing</p>
      <ul className="list flat">
        {channels.map(([field, label]) => {
          const isOut = opt_outs[field];
          const change = (to: boolean): void =>
            set.mutate(
              { person_id: person.id, [field]: to },
              {
                onSuccess: () =>
                  toast(
                    `${nameOf(person)} ${to ? 'is opted out of' : 'gets'} ${label.toLowerCase()}${to ? '' : ' again'}`,
                    () => set.mutate({ person_id: person.id, [field]: !to }),
                  ),
              },
            );
          return (
            <li key={field}>
              <span className="grow">{label}</span>
              <span className={isOut ? 'pill warn' : 'pill sent'}>
                {isOut ? 'opted out' : 'may be written to'}
              </span>
              <Button
                size="s"
                kind="ghost"
                unless={whyNot}
                busy={set.isPending && 'Saving'}
                onClick={() => change(!isOut)}
              >
                {isOut ? 'Opt in' : 'Opt out'}
              </Button>
            </li>
          );
        })}
      </ul>
      {set.error !== null && (
        <p className="err" role="alert">
          {set.error.message}
        </p>
      )}
    </section>
  );
}
