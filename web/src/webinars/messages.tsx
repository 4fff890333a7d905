import { people } from '../format/number.ts';
import { cityOf, clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { offsetWords, useHanging, type Hanging } from './hanging.ts';
import type { Webinar } from './state.tsx';
import { hours, longDay, startOf, zoneOf } from './when.ts';

interface Mark {
  readonly key: string;
  readonly at: Date;
  readonly title: string;
  readonly told: string;
  readonly icon: IconName;
  readonly kind: 'wait' | 'broadcast' | 'start' | 'now';
}

/** Everything that waits for a moment of this webinar, in the order of time. */
export function Messages({ webinar }: { readonly webinar: Webinar }) {
  const asked = useHanging(webinar, true);
  const { now, zone: orgZone } = useNow();
  const zone = zoneOf(webinar, orgZone);
  return (
    <section className="card" aria-label="Messages around the start">
      <header>
        <h2>Messages around the start</h2>
        <span className="hint">times in {cityOf(zone)}</span>
      </header>
      <div className="body">
        {asked.error !== null ? (
          <Failed problem={asked.error} what="what hangs on the start" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={2} />
        ) : (
          <ol className="line">
            {marksOf(asked.data, webinar, now, zone).map(({ key, at, title, told, icon, kind }) => (
              <li key={key} className={`rm ${kind}`}>
                <span className="mk2" aria-hidden="true">
                  <Icon name={icon} small />
                </span>
                <b className="medium">{title}</b>
                {kind !== 'now' && (
                  <span className="hint">
                    {longDay(at, zone).slice(0, -5)}, {clockTime(at, zone)}
                  </span>
                )}
                <span className="hint">{told}</span>
              </li>
            ))}
          </ol>
        )}
        {asked.data?.waits.length === 0 && asked.data.broadcasts.length === 0 && (
          <p className="hint">Nothing waits for it now. Workflows and broadcasts timed by it appear here.</p>
        )}
        {(asked.data?.groups_left_out ?? 0) > 0 && (
          <p className="hint">And {asked.data?.groups_left_out} more moments.</p>
        )}
      </div>
    </section>
  );
}

function marksOf({ waits, broadcasts }: Hanging, webinar: Webinar, now: Date, zone: string): Mark[] {
  const marks: Mark[] = [
    ...waits.map((wait) => ({
      key: `${wait.workflow_id} ${wait.version} ${wait.node}`,
      at: new Date(wait.from),
      title: offsetWords(wait),
      told: `${wait.workflow_name}: ${people(wait.count)} waiting`,
      icon: 'workflow' as const,
      kind: 'wait' as const,
    })),
    ...broadcasts.map(({ id, subject, send_at, channel }) => ({
      key: id,
      at: new Date(send_at ?? webinar.start_time),
      title: subject ?? 'Text broadcast',
      told: 'broadcast',
      icon: channel === 'email' ? ('broadcast' as const) : ('text' as const),
      kind: 'broadcast' as const,
    })),
    {
      key: 'start',
      at: startOf(webinar),
      title: 'Webinar',
      told: hours(webinar, zone),
      icon: 'webinar',
      kind: 'start',
    },
    { key: 'now', at: now, title: 'now', told: '', icon: 'clock', kind: 'now' },
  ];
  return marks.toSorted((one, other) => one.at.getTime() - other.at.getTime());
}
