import { count } from '../../format/number.ts';
import { cityOf, day } from '../../format/time.ts';
import type { Stats } from './outcomes.tsx';

interface PerDayProps {
  readonly stats: Stats;
  readonly zone: string;
  readonly now: Date;
}

const height = 160;
const wide = 64;

/** Opens and clicks by day, drawn and as a table with the same numbers. */
export function PerDay({ stats: { per_day }, zone, now }: PerDayProps) {
  if (per_day.length === 0) return null;
  const most = niceMost(Math.max(1, ...per_day.flatMap(({ opened, clicked }) => [opened, clicked])));
  const tall = (value: number): number => (height * value) / most;
  const label = (date: string): string => day(new Date(`${date}T12:00:00Z`), 'UTC', now);
  const sum = (name: 'sent' | 'opened' | 'clicked'): number =>
    per_day.reduce((total, one) => total + one[name], 0);
  const width = Math.max(per_day.length, 4) * wide + 48;
  return (
    <section className="card" aria-label="Per day">
      <header>
        <h2>Per day</h2>
        <span className="row g1 hint">
          <span className="swatch c-opened" aria-hidden="true" /> Opened
          <span className="swatch c-clicked" aria-hidden="true" /> Clicked
        </span>
        <span className="hint end">days in {cityOf(zone)} time</span>
      </header>
      <div className="per-day">
        <div className="drawn" tabIndex={0} role="region" aria-label="Chart">
          <svg
            width={width}
            height={height + 40}
            role="img"
            aria-label="Opened and clicked by day; the table has the numbers"
          >
            {[0, 1, 2, 3, 4].map((line) => (
              <g key={line}>
                <line
                  x1="40"
                  x2={width}
                  y1={height + 12 - (height * line) / 4}
                  y2={height + 12 - (height * line) / 4}
                />
                <text x="32" y={height + 16 - (height * line) / 4} textAnchor="end">
                  {count(Math.round((most * line) / 4))}
                </text>
              </g>
            ))}
            {per_day.map(({ date, opened, clicked }, place) => (
              <g key={date} transform={`translate(${48 + place * wide} 0)`}>
                <rect
                  className="c-opened"
                  x="8"
                  y={height + 12 - tall(opened)}
                  width="18"
                  height={tall(opened)}
                  rx="2"
                />
                <rect
                  className="c-clicked"
                  x="28"
                  y={height + 12 - tall(clicked)}
                  width="18"
                  height={tall(clicked)}
                  rx="2"
                />
                <text x="27" y={height + 32} textAnchor="middle">
                  {label(date)}
                </text>
              </g>
            ))}
          </svg>
        </div>
        <table className="tbl tight">
          <thead>
            <tr>
              <th className="first">Day</th>
              <th className="num">Sent</th>
              <th className="num">Opened</th>
              <th className="num last">Clicked</th>
            </tr>
          </thead>
          <tbody>
            {per_day.map(({ date, sent, opened, clicked }) => (
              <tr key={date}>
                <td className="first">{label(date)}</td>
                <td className="num">{count(sent)}</td>
                <td className="num">{count(opened)}</td>
                <td className="num last">{count(clicked)}</td>
              </tr>
            ))}
            <tr className="strong">
              <td className="first">Together</td>
              <td className="num">{count(sum('sent'))}</td>
              <td className="num">{count(sum('opened'))}</td>
              <td className="num last">{count(sum('clicked'))}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The next of 4, 8, 20, 40, 80, …: four lines with whole numbers. */
function niceMost(most: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [4, 8, 20]) if (most <= step * power) return step * power;
}
