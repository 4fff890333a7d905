import { useState } from 'react';
import { useAsk } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const step = 25;
const most = 200;

/** The service's own events by the words a person would use; those sent in are shown by their name. */
const own: Readonly<Record<string, readonly [IconName, string]>> = {
  $svc_email_sent: ['mail', 'Got an email'],
  $svc_email_opened: ['opened', 'Opened an email'],
  $svc_email_clicked: ['clicked', 'Clicked a link'],
  $svc_email_bounced: ['bad', 'An email came back'],
  $svc_email_complained: ['warning', 'Reported an email as spam'],
  $svc_text_sent: ['text', 'Got a text'],
  $svc_unsubscribed: ['leave', 'Unsubscribed'],
  $svc_webinar_registration: ['webinar', 'Registered for a webinar'],
  $svc_webinar_unregistration: ['webinar', 'Gave up a registration'],
  $svc_webinar_attendance: ['webinar', 'Attendance was reported'],
  $svc_identifier_conflict: ['warning', 'An identifier belongs to somebody else'],
  $svc_properties_left_out: ['info', 'Some properties were left out'],
};

const detailOf = (properties: Readonly<Record<string, unknown>>): string =>
  ['subject', 'title', 'name', 'url', 'attended']
    .map((key) => properties[key])
    .filter((value) => typeof value === 'string' || typeof value === 'boolean')
    .map(String)
    .join(', ');

export function Timeline({ id }: { readonly id: string }) {
  const [limit, setLimit] = useState(step);
  const asked = useAsk('list_person_events', { person_id: id, limit }, { keepsFormer: true });
  const { now, zone } = useNow();
  if (asked.error !== null)
    return <Failed problem={asked.error} what="the timeline" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={6} />;
  const { events, total } = asked.data;
  return (
    <section>
      <p className="hint">
        {count(total)} {total === 1 ? 'event' : 'events'}, times in {cityOf(zone)}
      </p>
      <ol className="tl mt2">
        {events.map((event) => {
          const [icon, words] = own[event.event_name] ?? (['info', event.event_name] as const);
          return (
            <li key={event.id}>
              <span className="ei">
                <Icon name={icon} small />
              </span>
              <span className="grow">
                {words} <span className="muted">{detailOf(event.custom_properties)}</span>
              </span>
              <time className="hint nowrap" dateTime={event.occurred_at}>
                {moment(new Date(event.occurred_at), zone, now)}
              </time>
            </li>
          );
        })}
      </ol>
      {total > events.length && limit < most && (
        <Button
          size="s"
          kind="ghost"
          busy={asked.isFetching && 'Reading'}
          onClick={() => setLimit(Math.min(limit * 2, most))}
        >
          Show more
        </Button>
      )}
    </section>
  );
}
