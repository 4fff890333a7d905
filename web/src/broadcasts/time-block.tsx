import { useNavigate } from '@tanstack/react-router';
import type { Output } from '../call/types.ts';
import { cityOf, clockTime, localOf, momentAt, weekdayMoment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Input, Select } from '../ui/field.tsx';
import { Segmented } from './segmented.tsx';
import type { Draft } from './use-draft.ts';

interface TimeBlockProps {
  readonly draft: Draft;
  readonly at: string | undefined;
  readonly delivery: Output<'plan_broadcast'>['delivery'] | undefined;
}

/** When it goes out: at a moment, which stands in the address until it is planned, or by its webinar. */
export function TimeBlock({ draft, at, delivery }: TimeBlockProps) {
  const { fields, change } = draft;
  const isTimed = fields.audience === 'webinar' && fields.webinar_offset_minutes !== null;
  return (
    <section className="blk" id="time">
      <h2>Time</h2>
      <div>
        {fields.audience === 'webinar' && (
          <Segmented
            label="Timed by"
            choices={[
              ['moment', 'At a moment'],
              ['webinar', 'By the webinar'],
            ]}
            value={isTimed ? 'webinar' : 'moment'}
            onChange={(by) => change({ webinar_offset_minutes: by === 'webinar' ? 60 : null })}
          />
        )}
        <div className={fields.audience === 'webinar' ? 'row g3 wrap mt3' : 'row g3 wrap'}>
          {isTimed ? <Offset draft={draft} /> : <Moment at={at} />}
        </div>
        <Window delivery={delivery} />
      </div>
    </section>
  );
}

function Moment({ at }: { readonly at: string | undefined }) {
  const navigate = useNavigate({ from: '/o/$org/broadcasts/$broadcast' });
  const { zone } = useNow();
  return (
    <>
      <Input
        type="datetime-local"
        aria-label={`When, ${cityOf(zone)} time`}
        value={at === undefined ? '' : localOf(new Date(at), zone)}
        onChange={({ target: { value } }) => {
          const chosen = momentAt(value, zone);
          void navigate({
            search: chosen === undefined ? {} : { at: chosen.toISOString() },
            replace: true,
          });
        }}
      />
      <span className="muted">{cityOf(zone)}</span>
    </>
  );
}

function Offset({ draft: { fields, change } }: Pick<TimeBlockProps, 'draft'>) {
  const minutes = fields.webinar_offset_minutes ?? 0;
  return (
    <>
      <Input
        type="number"
        aria-label="Minutes"
        min={0}
        value={Math.abs(minutes)}
        onChange={({ target: { value } }) => {
          const size = Math.abs(Number(value));
          change({ webinar_offset_minutes: minutes < 0 ? -size : size });
        }}
      />
      <span className="muted">minutes</span>
      <Select
        aria-label="Before or after"
        value={minutes < 0 ? 'after' : 'before'}
        onChange={({ target: { value } }) =>
          change({ webinar_offset_minutes: value === 'after' ? -Math.abs(minutes) : Math.abs(minutes) })
        }
        choices={[
          ['before', 'before'],
          ['after', 'after'],
        ]}
      />
      <Select
        aria-label="Of the webinar"
        value={fields.webinar_anchor ?? 'start'}
        onChange={({ target: { value } }) => change({ webinar_anchor: value as 'start' })}
        choices={[
          ['start', 'it starts'],
          ['end', 'it ends'],
        ]}
      />
    </>
  );
}

/** The same moment elsewhere, and how long it takes. */
function Window({ delivery }: Pick<TimeBlockProps, 'delivery'>) {
  const { now, zone } = useNow();
  if (delivery?.send_at == null) return null;
  const begins = new Date(delivery.send_at);
  const ends = new Date(begins.getTime() + delivery.paced_over_hours * 3_600_000);
  const others = [...new Set([Intl.DateTimeFormat().resolvedOptions().timeZone, 'UTC'])].filter(
    (other) => other !== zone,
  );
  return (
    <p className="hint mt2">
      {weekdayMoment(begins, zone, now)} {cityOf(zone)}
      {others.map((other) => ` · ${clockTime(begins, other)} ${cityOf(other)}`)}.{' '}
      {delivery.paced_over_hours === 0
        ? 'All at once.'
        : `Spread over ${delivery.paced_over_hours} hours, the last at ${clockTime(ends, zone)} ${cityOf(zone)}.`}
    </p>
  );
}
