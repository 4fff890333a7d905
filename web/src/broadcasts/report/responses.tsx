import { count } from '../../format/number.ts';
import { percent } from '../../format/percent.ts';
import type { Stats } from './outcomes.tsx';

/** What became of those who were written to. Machines that open and click are not counted. */
export function Responses({ stats: { totals } }: { readonly stats: Stats }) {
  const figures = [
    ['Delivered', totals.delivered, totals.sent, 'of sent'],
    ['Opened', totals.opened, totals.sent, 'of sent, people only'],
    ['Clicked', totals.clicked, totals.sent, 'of sent'],
    ['Unsubscribed', totals.unsubscribed, totals.sent, 'of sent'],
    ['Reported as spam', totals.complained, totals.sent, 'of sent'],
  ] as const;
  return (
    <section className="card" aria-label="Responses">
      <dl className="figures">
        {figures.map(([label, value, whole, base]) => (
          <div key={label}>
            <dt className="hint">{label}</dt>
            <dd>
              <span className="fig">{count(value)}</span>
              <p className="hint">
                {percent(value, whole)} {base}
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
