import { Link } from '@tanstack/react-router';
import type { Input } from '../call/types.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { cityOf, clockTime, localOf, momentAt } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { daysOf, longMonth, monthAfter, weekdays, weeksOf } from './month.ts';
import { StatePill, type Webinar } from './state.tsx';
import { startOf } from './when.ts';
import './calendar.css';

const most = 200;

interface CalendarProps {
  readonly month: string;
  readonly filter: Pick<Input<'list_webinars'>, 'status' | 'phase'>;
  readonly onMonth: (month: string) => void;
}

/** A month of webinars by the organization's days. On a phone a list of the days that have some. */
export function Calendar({ month, filter, onMonth }: CalendarProps) {
  const { now, zone } = useNow();
  const asked = useAsk(
    'list_webinars',
    {
      ...filter,
      from: momentAt(`${month}-01T00:00`, zone)!.toISOString(),
      before: momentAt(`${monthAfter(month, 1)}-01T00:00`, zone)!.toISOString(),
      order: 'asc',
      limit: most,
    },
    { keepsFormer: true },
  );
  const today = localOf(now, zone).slice(0, 10);
  const days = Map.groupBy(asked.data?.webinars ?? [], (one) => localOf(startOf(one), zone).slice(0, 10));
  return (
    <section className="mt3" aria-label="Calendar">
      <div className="row wrap">
        <h2 className="h2" aria-live="polite">
          {longMonth(month)}
        </h2>
        <span className="hint">times in {cityOf(zone)}</span>
        <span className="row end">
          <Button
            size="s"
            unless={today.startsWith(month) && 'This is it.'}
            onClick={() => onMonth(today.slice(0, 7))}
          >
            This month
          </Button>
          <Button
            size="s"
            icon="left"
            aria-label="Previous month"
            onClick={() => onMonth(monthAfter(month, -1))}
          />
          <Button
            size="s"
            icon="right"
            aria-label="Next month"
            onClick={() => onMonth(monthAfter(month, 1))}
          />
        </span>
      </div>
      {asked.error !== null ? (
        <Failed problem={asked.error} what="webinars" retry={() => void asked.refetch()} />
      ) : asked.data === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <>
          <table className="cal mt3" aria-busy={asked.isPlaceholderData}>
            <thead>
              <tr>
                {weekdays.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeksOf(daysOf(month)).map((week) => (
                <tr key={week.find((day) => day !== undefined)}>
                  {week.map((day, place) =>
                    day === undefined ? (
                      <td key={weekdays[place]} className="off" />
                    ) : (
                      <Day key={day} day={day} isToday={day === today} webinars={days.get(day) ?? []} />
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
          {asked.data.total === 0 && <p className="muted mt3">No webinar starts in {longMonth(month)}.</p>}
          {asked.data.total > most && (
            <p className="note mt3">
              {asked.data.total} start in this month; the first {most} are shown. The list has them all.
            </p>
          )}
        </>
      )}
    </section>
  );
}

interface DayProps {
  readonly day: string;
  readonly isToday: boolean;
  readonly webinars: readonly Webinar[];
}

function Day({ day, isToday, webinars }: DayProps) {
  const org = useOrg();
  const { zone } = useNow();
  return (
    <td className={webinars.length === 0 ? 'none' : ''} aria-current={isToday ? 'date' : undefined}>
      <time dateTime={day} className="daynum">
        {Number(day.slice(8))}
        <span className="only-phone"> {weekdays[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7]}</span>
      </time>
      <ul>
        {webinars.map((webinar) => (
          <li key={webinar.id}>
            <Link
              to="/o/$org/webinars/$webinar"
              params={{ org, webinar: webinar.id }}
              className={`calw ${webinar.status}`}
              title={webinar.title}
            >
              <span className="tabular">{clockTime(startOf(webinar), zone)}</span>{' '}
              <span className="medium">{webinar.title}</span>
            </Link>
            {webinar.status !== 'scheduled' && <StatePill webinar={webinar} />}
          </li>
        ))}
      </ul>
    </td>
  );
}
