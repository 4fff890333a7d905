import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Input } from '../call/types.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { localOf } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Pager } from '../ui/pager.tsx';
import { Calendar } from './calendar.tsx';
import { MakeWebinar } from './make-webinar.tsx';
import { shows, type ListSearch, type Show } from './search.ts';
import { StatePill, type Webinar } from './state.tsx';
import { fromNow, hours, longDay, startOf, zoneOf } from './when.ts';
import './webinars.css';

const pageSize = 50;
const words: Readonly<Record<Show, string>> = {
  all: 'All',
  upcoming: 'Upcoming',
  live: 'Live',
  ended: 'Ended',
  draft: 'Drafts',
  canceled: 'Canceled',
};

/** A draft has a time, too, but nobody should count on it. */
const filterOf = (show: Show): Pick<Input<'list_webinars'>, 'status' | 'phase'> =>
  show === 'all'
    ? {}
    : show === 'draft' || show === 'canceled'
      ? { status: show }
      : { status: 'scheduled', phase: show };

export function WebinarsPage() {
  const { show = 'all', offset = 0, make = false, month } = useSearch({ from: '/o/$org/webinars' });
  const navigate = useNavigate({ from: '/o/$org/webinars' });
  const order = show === 'upcoming' ? ('asc' as const) : ('desc' as const);
  const input = { ...filterOf(show), order, limit: pageSize, offset };
  const asked = useAsk('list_webinars', input, { keepsFormer: true, enabled: month === undefined });
  const { now, zone } = useNow();
  const whyNot = useWhyNot()('create_webinar');
  const go = (search: ListSearch): void => void navigate({ search });
  const making = (isMaking: boolean): void =>
    go({ show, ...(month !== undefined && { month }), ...(isMaking && { make: true }) });
  return (
    <Page crumbs={[]} title="Webinars">
      <div className="page wide">
        <div className="head">
          <h1>Webinars</h1>
          <div className="acts">
            <Button kind="primary" unless={whyNot} onClick={() => making(true)}>
              New webinar
            </Button>
          </div>
        </div>
        <div className="row wrap">
          <div className="seg scrolls" role="group" aria-label="Which webinars">
            {shows.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === show}
                onClick={() => go({ show: one, ...(month !== undefined && { month }) })}
              >
                {words[one]}
              </button>
            ))}
          </div>
          <div className="seg end" role="group" aria-label="Shown as">
            <button type="button" aria-pressed={month === undefined} onClick={() => go({ show })}>
              List
            </button>
            <button
              type="button"
              aria-pressed={month !== undefined}
              onClick={() => go({ show, month: month ?? localOf(now, zone).slice(0, 7) })}
            >
              Calendar
            </button>
          </div>
        </div>
        {month !== undefined ? (
          <Calendar month={month} filter={filterOf(show)} onMonth={(next) => go({ show, month: next })} />
        ) : asked.error !== null ? (
          <Failed problem={asked.error} what="webinars" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : asked.data.total === 0 ? (
          <Blank icon="webinar" title={show === 'all' ? 'There are no webinars yet' : 'None of these'}>
            {show === 'all'
              ? 'Make one, and register people for it here or by your programs.'
              : 'No webinar is in this state now.'}
          </Blank>
        ) : (
          <>
            <WebinarTable webinars={asked.data.webinars} isOld={asked.isPlaceholderData} />
            {asked.data.total > pageSize && (
              <Pager
                total={asked.data.total}
                offset={offset}
                size={pageSize}
                onGo={(next) => go({ show, ...(next !== undefined && { offset: next }) })}
              />
            )}
          </>
        )}
        {month === undefined && (
          <div className="row g4 mt4">
            <CopyAsCall operation="list_webinars" input={input} />
          </div>
        )}
      </div>
      <MakeWebinar open={make && whyNot === undefined} onClose={() => making(false)} />
    </Page>
  );
}

function WebinarTable({
  webinars,
  isOld,
}: {
  readonly webinars: readonly Webinar[];
  readonly isOld: boolean;
}) {
  const org = useOrg();
  const { now, zone: orgZone } = useNow();
  return (
    <table className="tbl tall wbl mt3" aria-busy={isOld}>
      <thead>
        <tr>
          <th className="l0">State</th>
          <th>Webinar</th>
          <th className="only-wide">Starts</th>
          <th className="only-wide">Hours</th>
          <th className="num r0 only-wide">From now</th>
        </tr>
      </thead>
      <tbody>
        {webinars.map((webinar) => {
          const zone = zoneOf(webinar, orgZone);
          const day = longDay(startOf(webinar), zone);
          return (
            <tr key={webinar.id}>
              <td className="l0">
                <StatePill webinar={webinar} />
              </td>
              <td className="wide-cell">
                <Link
                  to="/o/$org/webinars/$webinar"
                  params={{ org, webinar: webinar.id }}
                  className="medium ellipsis block"
                >
                  {webinar.title}
                </Link>
                <span className="hint only-phone">
                  {day}, {hours(webinar, zone)}
                </span>
                <span className="hint only-wide">{webinar.provider ?? ''}</span>
              </td>
              <td className="only-wide">{day}</td>
              <td className="only-wide">
                {hours(webinar, zone)}{' '}
                <span className="muted">{zone.split('/').at(-1)?.replaceAll('_', ' ')}</span>
              </td>
              <td className="num r0 only-wide muted">{fromNow(startOf(webinar), now)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
