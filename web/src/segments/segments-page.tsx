import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import './segments.css';

export function SegmentsPage() {
  const org = useOrg();
  const asked = useAsk('list_segments', {});
  const { now, zone } = useNow();
  const whyNot = useWhyNot()('create_segment');
  return (
    <Page crumbs={[['People', `/o/${org}/people`]]} title="Segments">
      <div className="page wide">
        <div className="head">
          <div>
            <h1>Segments</h1>
            <p className="sub">Who is in one is worked out anew at every read.</p>
          </div>
          <div className="acts">
            {whyNot === undefined ? (
              <Link className="btn primary" to="/o/$org/segments/$segment" params={{ org, segment: 'new' }}>
                Make a segment
              </Link>
            ) : (
              <Button kind="primary" unless={whyNot}>
                Make a segment
              </Button>
            )}
          </div>
        </div>
        {asked.error !== null ? (
          <Failed problem={asked.error} what="segments" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <div className="card">
            <table className="tbl">
              <thead>
                <tr>
                  <th className="first">Segment</th>
                  <th className="only-wide">Conditions</th>
                  <th className="only-wide">Used by</th>
                  <th className="num last only-wide">Changed</th>
                </tr>
              </thead>
              <tbody>
                {asked.data.segments.map((segment) => (
                  <tr key={segment.id}>
                    <td className="first">
                      <Link
                        className="row"
                        to="/o/$org/segments/$segment"
                        params={{ org, segment: segment.id }}
                      >
                        <span className="dot" style={{ background: segment.color ?? 'var(--slate-solid)' }} />
                        <span className="medium ellipsis">{segment.name}</span>
                        {segment.is_system && (
                          <span className="hint row g1">
                            <Icon name="lock" small />
                            system
                          </span>
                        )}
                      </Link>
                    </td>
                    <td className="only-wide muted">{count(segment.filters.length)}</td>
                    <td className="only-wide muted">
                      {segment.used_by.length === 0
                        ? '—'
                        : segment.used_by.map(({ name }) => name).join(', ')}
                    </td>
                    <td className="num last only-wide muted">
                      {segment.is_system ? '—' : day(new Date(segment.updated_at), zone, now)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className="row g4 mt4">
          <CopyAsCall operation="list_segments" input={{}} />
        </div>
      </div>
    </Page>
  );
}
