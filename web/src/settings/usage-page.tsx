import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { cityOf, moment, monthName } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import './settings.css';

type Usage = Output<'get_usage'>;

export function UsagePage() {
  const org = useOrg();
  const asked = useAsk('get_usage', {});
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Usage">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Usage</h1>
            <p className="sub">What was sent this month, and what may still be.</p>
          </div>
        </div>
        {asked.error !== null ? (
          <Failed problem={asked.error} what="the usage" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={3} />
        ) : (
          <UsageTable usage={asked.data} />
        )}
        <div className="row g4 mt4 wrap">
          <CopyAsCall operation="get_usage" input={{}} />
        </div>
      </div>
    </Page>
  );
}

function UsageTable({ usage }: { readonly usage: Usage }) {
  const { now, zone } = useNow();
  const at = (told: string): string => moment(new Date(told), zone, now);
  return (
    <section className="card">
      <header>
        <h2>{monthName(usage.month)}</h2>
        <span className="hint end">
          begins anew {at(usage.renews_at)} {cityOf(zone)}
        </span>
      </header>
      <table className="tbl tall stacks">
        <thead>
          <tr>
            <th className="first">Channel</th>
            <th>Used</th>
            <th>Left</th>
            <th className="last">Scheduled this month</th>
          </tr>
        </thead>
        <tbody>
          {(
            [
              ['Emails', usage.email],
              ['Texts', usage.sms],
            ] as const
          ).map(([label, of]) => (
            <tr key={label}>
              <td className="first medium">{label}</td>
              <td data-label="Used">
                <span className="used">
                  {count(of.used)}
                  {of.per_month !== null && ` of ${count(of.per_month)}`}
                  {of.per_month !== null && (
                    <span className="meter l">
                      <i
                        style={{ width: `${Math.min(100, (100 * of.used) / Math.max(1, of.per_month))}%` }}
                      />
                    </span>
                  )}
                </span>
              </td>
              <td className="muted" data-label="Left">
                {of.remaining === null
                  ? 'no limit'
                  : of.remaining === 0
                    ? 'nothing; whoever is beyond it is skipped'
                    : count(of.remaining)}
              </td>
              <td className="last muted" data-label="Scheduled this month">
                {of.next_scheduled_at === null
                  ? '—'
                  : `${count(of.scheduled_broadcasts)} ${of.scheduled_broadcasts === 1 ? 'broadcast' : 'broadcasts'}, the next ${at(of.next_scheduled_at)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <Icon name="info" />
        <span>
          A month is one of the calendar in UTC. Whom a scheduled broadcast goes to is worked out when it
          begins. Whoever runs this installation sets the allowance.
        </span>
      </footer>
    </section>
  );
}
