import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { count } from '../../format/number.ts';
import { percent } from '../../format/percent.ts';
import type { Stats } from './outcomes.tsx';

/** What became of those who were written to. Machines that open and click are not counted. */
export function Responses({ stats: { broadcast_id, totals } }: { readonly stats: Stats }) {
  const org = useOrg();
  const figures = [
    ['Delivered', totals.delivered, 'of sent', undefined],
    ['Opened', totals.opened, 'of sent, people only', { opened: true }],
    ['Clicked', totals.clicked, 'of sent', { clicked: true }],
    ['Unsubscribed', totals.unsubscribed, 'of sent', { unsubscribed: true }],
    ['Bounced', totals.bounced, 'of sent', { bounced: true }],
    ['Reported as spam', totals.complained, 'of sent', { complained: true }],
  ] as const;
  return (
    <section className="card" aria-label="Responses">
      <dl className="figures">
        {figures.map(([label, value, base, who]) => (
          <div key={label}>
            <dt className="hint">{label}</dt>
            <dd>
              <span className="fig">{count(value)}</span>
              <p className="hint">
                {percent(value, totals.sent)} {base}
              </p>
              {who !== undefined && value > 0 && (
                <Link
                  className="link"
                  to="/o/$org/broadcasts/$broadcast/report"
                  params={{ org, broadcast: broadcast_id }}
                  search={who}
                  hash="recipients"
                  aria-label={`Who: ${label.toLowerCase()}`}
                >
                  Who
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
