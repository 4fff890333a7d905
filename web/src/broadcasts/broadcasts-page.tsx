import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Pager } from '../ui/pager.tsx';
import { BroadcastTable } from './broadcast-table.tsx';
import { NewBroadcast } from './new-broadcast.tsx';
import { stateWords, type Listed } from './state-pill.tsx';
import type { BroadcastsSearch } from './search.ts';
import './broadcasts.css';

const pageSize = 50;

export function BroadcastsPage() {
  const search = useSearch({ from: '/o/$org/broadcasts' });
  const asked = useAsk(
    'list_broadcasts',
    { ...search, limit: pageSize },
    { keepsFormer: true, everyMs: 15_000 },
  );
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page crumbs={[]} title="Broadcasts">
      <div className="page wide">
        <div className="head">
          <div>
            <h1>Broadcasts</h1>
          </div>
          <div className="acts">
            <NewBroadcast />
          </div>
        </div>
        <States search={search} />
        {asked.error !== null ? (
          <Failed problem={asked.error} what="broadcasts" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : asked.data.total === 0 ? (
          <Nothing isFiltered={isFiltered} />
        ) : (
          <>
            <BroadcastTable broadcasts={asked.data.broadcasts} isOld={asked.isPlaceholderData} />
            <Pages total={asked.data.total} search={search} />
          </>
        )}
        <div className="row g4 mt4">
          <CopyAsCall operation="list_broadcasts" input={search} />
        </div>
      </div>
    </Page>
  );
}

const States = ({ search: { status, ...rest } }: { readonly search: BroadcastsSearch }) => {
  const org = useOrg();
  const { offset: _offset, ...others } = rest;
  const choices = [undefined, ...(Object.keys(stateWords) as Listed['status'][])];
  return (
    <nav className="row tools wrap" aria-label="States">
      <div className="seg scrolls">
        {choices.map((choice) => (
          <Link
            key={choice ?? 'all'}
            to="/o/$org/broadcasts"
            params={{ org }}
            search={{ ...others, ...(choice !== undefined && { status: choice }) }}
            activeOptions={{ exact: true }}
            aria-current={choice === status ? 'page' : undefined}
          >
            {choice === undefined ? 'All' : stateWords[choice]}
          </Link>
        ))}
      </div>
      {Object.keys(others).length > 0 && (
        <Link
          className="link"
          to="/o/$org/broadcasts"
          params={{ org }}
          search={status === undefined ? {} : { status }}
        >
          Show those of all channels and webinars
        </Link>
      )}
    </nav>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Blank icon="search" title="None is like this">
      No broadcast matches what the address asks for. Choose All to see the others.
    </Blank>
  ) : (
    <Blank icon="broadcast" title="Nothing was written yet">
      A broadcast is one email, or one text to the registrants of a webinar, sent once to an audience. Those
      that programs and assistants make show up here too.
    </Blank>
  );

function Pages({ total, search }: { readonly total: number; readonly search: BroadcastsSearch }) {
  const navigate = useNavigate({ from: '/o/$org/broadcasts' });
  if (total <= pageSize) return null;
  return (
    <Pager
      total={total}
      offset={search.offset ?? 0}
      size={pageSize}
      onGo={(to) =>
        void navigate({
          search: ({ offset: _old, ...rest }) => ({ ...rest, ...(to !== undefined && { offset: to }) }),
        })
      }
    />
  );
}
