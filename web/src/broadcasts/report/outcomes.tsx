import type { Output } from '../../call/types.ts';
import { count } from '../../format/number.ts';
import { percent } from '../../format/percent.ts';
import { Icon } from '../../ui/icon.tsx';

export type Stats = Output<'get_broadcast_stats'>;
export type Outcome = keyof Stats['outcomes'];

export const outcomeWords: Readonly<Record<Outcome, readonly [label: string, meaning: string]>> = {
  sent: ['Sent', 'handed over'],
  skipped: ['Skipped', 'not written to, for a reason'],
  failed: ['Failed', 'the other side said no'],
  uncertain: ['Uncertain', 'no answer came back; never tried twice by itself'],
  pending: ['Pending', 'still to come'],
};

const order = Object.keys(outcomeWords) as Outcome[];

/** Everybody, once: the bar and its legend have one sum. */
export function Outcomes({ stats: { outcomes, totals, balanced } }: { readonly stats: Stats }) {
  const sum = order.reduce((total, outcome) => total + outcomes[outcome], 0);
  return (
    <section className="card" aria-label="Where everyone ended up">
      <header>
        <h2>Where everyone ended up</h2>
        {balanced ? (
          <span className="pill ready end">
            <Icon name="tick" />
            Adds up: {count(sum)} of {count(totals.recipients)}
          </span>
        ) : (
          <span className="pill error end">
            <Icon name="bad" />
            Does not add up: {count(sum)} of {count(totals.recipients)}
          </span>
        )}
      </header>
      <div className="body">
        <div className="bar l" aria-hidden="true">
          {order
            .filter((outcome) => outcomes[outcome] > 0)
            .map((outcome) => (
              <i key={outcome} className={`b-${outcome}`} style={{ flexGrow: outcomes[outcome] }} />
            ))}
        </div>
        <dl className="legend mt4">
          {order.map((outcome) => (
            <div key={outcome}>
              <dt className="row g1">
                <span className={`swatch s-${outcome}`} aria-hidden="true" />
                {outcomeWords[outcome][0]}
              </dt>
              <dd>
                <span className="fig">{count(outcomes[outcome])}</span>{' '}
                <span className="hint">{percent(outcomes[outcome], sum)}</span>
                <p className="hint">{outcomeWords[outcome][1]}</p>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
