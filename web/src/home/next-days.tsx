import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { titleOf } from '../broadcasts/words.ts';
import { useOrg } from '../call/use-call.ts';
import { cityOf, clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { Goings } from './goings.ts';

const dayMs = 86_400_000;
const dayOf = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

export const withinDays = (at: string | null, now: Date, days: number): boolean =>
  at !== null && Date.parse(at) >= now.getTime() && Date.parse(at) < now.getTime() + days * dayMs;

interface Going {
  readonly key: string;
  readonly day: string;
  readonly at: number;
  readonly to: string;
  readonly kind: 'live' | 'sch' | 'web';
  readonly icon: IconName;
  readonly title: string;
  readonly told: string;
}

/** A week from today and those after it, by the organization's calendar. */
export function NextDays({ goings }: { readonly goings: Goings }) {
  const org = useOrg();
  const { now, zone } = useNow();
  const [weeks, setWeeks] = useState(0);
  const all = list(goings, org, now, zone);
  const dates = Array.from({ length: 7 }, (_, n) => new Date(now.getTime() + (weeks * 7 + n) * dayMs));
  return (
    <section className="card" aria-label="Next 7 days">
      <header>
        <h2 aria-live="polite">
          {weeks === 0
            ? 'Next 7 days'
            : `7 days from ${word(dates[0]!, zone, { day: 'numeric', month: 'long' })}`}
        </h2>
        <span className="hint">{cityOf(zone)} time</span>
        <span className="row end">
          <Button
            kind="ghost"
            size="s"
            icon="left"
            aria-label="Week before"
            unless={weeks === 0 && 'This is the first.'}
            onClick={() => setWeeks(weeks - 1)}
          />
          <Button
            kind="ghost"
            size="s"
            icon="right"
            aria-label="Week after"
            onClick={() => setWeeks(weeks + 1)}
          />
        </span>
      </header>
      <ol className="week">
        {dates.map((date, n) => {
          const day = dayOf(date, zone);
          const ours = all.filter((going) => going.day === day);
          const isToday = weeks === 0 && n === 0;
          return (
            <li key={day} className={`day${isToday ? ' today' : ''}${ours.length === 0 ? ' none' : ''}`}>
              <div className="dh">
                <span>{word(date, zone, { weekday: 'short' })}</span>
                <b>{word(date, zone, { day: 'numeric' })}</b>
              </div>
              {ours.map(({ key, to, kind, icon, title, told }) => (
                <Link key={key} to={to} className={`evt ${kind}`}>
                  <span className="row top">
                    <Icon name={icon} small />
                    <b className="medium cl">{title}</b>
                  </span>
                  <span className="hint">{told}</span>
                </Link>
              ))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const word = (date: Date, zone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(date);

function list({ sending, scheduled, webinars }: Goings, org: string, now: Date, zone: string): Going[] {
  const at = (moment: string): Pick<Going, 'day' | 'at'> => ({
    day: dayOf(new Date(moment), zone),
    at: Date.parse(moment),
  });
  const goings: Going[] = [
    ...sending.map((broadcast) => ({
      ...at(now.toISOString()),
      key: broadcast.id,
      to: `/o/${org}/broadcasts/${broadcast.id}`,
      kind: 'live' as const,
      icon: 'broadcast' as const,
      title: titleOf(broadcast),
      told: 'sending',
    })),
    ...scheduled.flatMap((broadcast) =>
      broadcast.timing.send_at === null
        ? []
        : {
            ...at(broadcast.timing.send_at),
            key: broadcast.id,
            to: `/o/${org}/broadcasts/${broadcast.id}`,
            kind: 'sch' as const,
            icon: broadcast.channel === 'sms' ? ('text' as const) : ('broadcast' as const),
            title: titleOf(broadcast),
            told: clockTime(new Date(broadcast.timing.send_at), zone),
          },
    ),
    ...webinars.map(({ id, title, start_time }) => ({
      ...at(start_time),
      key: id,
      to: `/o/${org}/webinars/${id}`,
      kind: 'web' as const,
      icon: 'webinar' as const,
      title,
      told: clockTime(new Date(start_time), zone),
    })),
  ];
  return goings.toSorted((one, other) => one.at - other.at);
}
