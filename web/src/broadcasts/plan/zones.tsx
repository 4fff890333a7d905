import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrg } from '../../call/use-call.ts';
import { cityOf, clockTime, weekdayMoment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

interface ZonesProps {
  readonly broadcast: string;
  readonly at: string | undefined;
  readonly begins: Date;
  readonly hours: number;
  readonly zone: string;
}

const hourMs = 3_600_000;
const step = 2;
const viewers = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The window on one axis for the organization, for whoever looks, and for a place of choice; nights are hatched. */
export function Zones({ broadcast, at: chosenAt, begins, hours, zone }: ZonesProps) {
  const org = useOrg();
  const { now } = useNow();
  const [chosen, setChosen] = useState('UTC');
  const rows = [
    [zone, 'organization'],
    [viewers(), 'you'],
    [chosen, 'chosen'],
  ] as const;
  const shown = rows.filter(([one], place) => rows.findIndex(([other]) => other === one) === place);
  const from = Math.floor(begins.getTime() / hourMs - 4) * hourMs;
  const span = Math.max(12, Math.ceil(hours + 9)) * hourMs;
  const ends = new Date(begins.getTime() + hours * hourMs);
  const at = (moment: number): string => `${(100 * (moment - from)) / span}%`;
  return (
    <section className="card" aria-label="When it goes out">
      <header>
        <h2>When it goes out</h2>
        <span className="hint">
          {hours === 0 ? 'all at once' : `spread over ${hours} hours`}, from{' '}
          {weekdayMoment(begins, zone, now)}
        </span>
        <Link
          className="btn ghost s end"
          to="/o/$org/broadcasts/$broadcast"
          params={{ org, broadcast }}
          search={chosenAt === undefined ? {} : { at: chosenAt }}
          hash="time"
        >
          <Icon name="clock" />
          Change time
        </Link>
      </header>
      <div className="body">
        {shown.map(([one, whose]) => (
          <div key={one} className="zone">
            <span className="col g0">
              <span className="medium ellipsis">{cityOf(one)}</span>
              <span className="hint">{whose}</span>
            </span>
            <span className="track" aria-hidden="true">
              {Array.from({ length: span / hourMs / step }, (_, place) => {
                const cell = new Date(from + place * step * hourMs);
                const hour = Number(clockTime(cell, one).slice(0, 2));
                return (
                  <i
                    key={place}
                    className={hour >= 22 || hour < 6 ? 'cell night' : 'cell'}
                    style={{ left: at(cell.getTime()), width: `${(100 * step * hourMs) / span}%` }}
                  >
                    {clockTime(cell, one).slice(0, 2)}
                  </i>
                );
              })}
              <i
                className="window"
                style={{ left: at(begins.getTime()), width: `${(100 * hours * hourMs) / span}%` }}
              />
            </span>
            <span className="medium nowrap num">
              {clockTime(begins, one)}
              {hours > 0 && ` – ${clockTime(ends, one)}`}
            </span>
          </div>
        ))}
        <div className="row mt4">
          <span className="hint">Also show</span>
          <span className="pick">
            <Select
              size="s"
              aria-label="Zone to show"
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
              choices={['UTC', ...Intl.supportedValuesOf('timeZone')].map((one) => [
                one,
                one.replaceAll('_', ' '),
              ])}
            />
          </span>
        </div>
      </div>
    </section>
  );
}
