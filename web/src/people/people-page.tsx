import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Input, Output } from '../call/types.ts';
import { count, money, people as countPeople } from '../format/number.ts';
import { ago } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useMe } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { FilterBar } from './filter-bar.tsx';
import { initialsOf, nameOf } from './name.ts';
import { PersonPanel } from './person-panel.tsx';
import type { PeopleSearch } from './search.ts';
import { useRowKeys } from './row-keys.ts';
import './people.css';

const pageSize = 50;
type Person = Output<'list_people'>['people'][number];
type Sort = NonNullable<Input<'list_people'>['sort']>;

export function PeoplePage() {
  const search = useSearch({ from: '/o/$org/people' });
  const { list, people, total } = usePeople(search);
  const segments = useAsk('list_segments', {});
  const segment = segments.data?.segments.find(({ id }) => id === search.segment_id);
  const change = useChange();
  useRowKeys(people, search.person, (person) => change({ person }));
  const opened = people.find(({ id }) => id === search.person);
  return (
    <Page crumbs={[]} title="People">
      <div className={search.person === undefined ? 'wp' : 'wp open'}>
        <div className="left">
          <div className="ptop row">
            <h1 className="ttl">People</h1>
          </div>
          <FilterBar
            search={search}
            problem={list.error}
            segmentName={search.segment_id === undefined ? undefined : (segment?.name ?? search.segment_id)}
            onChange={(changed) =>
              change({ ...(changed as Partial<PeopleSearch>), offset: undefined, person: undefined })
            }
          />
          {list.error !== null && list.error.status !== 400 ? (
            <Failed problem={list.error} what="people" retry={() => void list.refetch()} />
          ) : total === undefined ? (
            <Skeleton rows={12} />
          ) : total === 0 ? (
            <Nobody isFiltered={Object.keys(search).some((name) => name !== 'sort' && name !== 'order')} />
          ) : (
            <>
              <p className="cnt" role="status">
                <b>{countPeople(total)}</b>
                <span className="muted">
                  {search.find === undefined
                    ? total === 1
                      ? 'matches'
                      : 'match'
                    : `with “${search.find}” in an address, a phone or an id`}
                </span>
              </p>
              <PeopleTable
                people={people}
                search={search}
                isOld={list.isPlaceholderData}
                onSort={(sort, order) => change({ sort, order, offset: undefined })}
              />
              <Pager
                total={total}
                offset={search.find === undefined ? (search.offset ?? 0) : 0}
                onGo={(offset) => change({ offset, person: undefined })}
              />
            </>
          )}
        </div>
        {search.person !== undefined && (
          <PersonPanel
            key={search.person}
            id={search.person}
            summary={opened}
            onClose={() => change({ person: undefined })}
          />
        )}
      </div>
    </Page>
  );
}

/** A part of an identifier is searched for; everything else is a filtered list. */
function usePeople({ find, person: _person, ...filters }: PeopleSearch) {
  const listed = useAsk(
    'list_people',
    { ...filters, limit: pageSize },
    { keepsFormer: true, enabled: find === undefined },
  );
  const searched = useAsk(
    'search_people',
    { query: find ?? '' },
    { keepsFormer: true, enabled: find !== undefined },
  );
  return find === undefined
    ? { list: listed, people: listed.data?.people ?? [], total: listed.data?.total }
    : { list: searched, people: searched.data?.people ?? [], total: searched.data?.people.length };
}

function useChange(): (changed: { [Name in keyof PeopleSearch]?: PeopleSearch[Name] | undefined }) => void {
  const navigate = useNavigate({ from: '/o/$org/people' });
  return (changed) =>
    void navigate({
      search: (old) =>
        Object.fromEntries(
          Object.entries({ ...old, ...changed }).filter(([, value]) => value !== undefined),
        ) as PeopleSearch,
    });
}

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly search: PeopleSearch;
  readonly isOld: boolean;
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void;
}

function PeopleTable({ people, search, isOld, onSort }: PeopleTableProps) {
  const { organization } = useMe();
  const { now, zone } = useNow();
  const org = useOrg();
  return (
    <table className="tbl ppl" aria-busy={isOld}>
      <thead>
        <tr>
          <SortHead label="Person" by="last_name" search={search} onSort={onSort} className="first" />
          <th>Subscription</th>
          <SortHead label="MRR" by="mrr" search={search} onSort={onSort} className="num only-wide" />
          <SortHead
            label="Lifetime value"
            by="ltv"
            search={search}
            onSort={onSort}
            className="num only-wide closes"
          />
          <SortHead
            label="Known since"
            by="created_at"
            search={search}
            onSort={onSort}
            className="num last only-wide"
          />
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id} className={person.id === search.person ? 'on' : undefined}>
            <td className="first who">
              <Link
                to="/o/$org/people"
                params={{ org }}
                search={{ ...search, person: person.id }}
                className="row g3"
                data-row={person.id}
              >
                <span className="avatar" aria-hidden="true">
                  {initialsOf(person)}
                </span>
                <span className="col g0">
                  <span className="medium ellipsis">{nameOf(person)}</span>
                  <span className="hint ellipsis">
                    {person.primary_email ?? person.primary_phone ?? person.external_user_id ?? '—'}
                  </span>
                </span>
              </Link>
            </td>
            <td>
              {person.subscription_status === null ? (
                <span className="muted">—</span>
              ) : (
                person.subscription_status.replaceAll('_', ' ')
              )}
            </td>
            <td className="num only-wide">{money(person.mrr, organization.currency)}</td>
            <td className="num only-wide closes">{money(person.ltv, organization.currency)}</td>
            <td className="num muted last only-wide" title={person.created_at}>
              {ago(new Date(person.created_at), zone, now)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SortHeadProps extends Pick<PeopleTableProps, 'search' | 'onSort'> {
  readonly label: string;
  readonly by: Sort;
  readonly className: string;
}

function SortHead({ label, by, search, onSort, className }: SortHeadProps) {
  const order = search.order ?? 'desc';
  const isSorted = (search.sort ?? 'created_at') === by && search.find === undefined;
  return (
    <th
      className={className}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className="sorts"
        onClick={() => onSort(by, isSorted && order === 'desc' ? 'asc' : 'desc')}
      >
        {label}
        {isSorted && <Icon name={order === 'asc' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

const Nobody = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Blank icon="search" title="Nobody matches">
      All filters must hold at once. Take one away to see more people.
    </Blank>
  ) : (
    <Blank icon="people" title="Nobody is here yet">
      People appear when they register for a webinar, when your programs identify them, or when you import a
      list.
    </Blank>
  );

function Pager({
  total,
  offset,
  onGo,
}: {
  readonly total: number;
  readonly offset: number;
  readonly onGo: (offset: number | undefined) => void;
}) {
  const isFirst = offset === 0;
  const isLast = offset + pageSize >= total;
  return (
    <nav className="pager" aria-label="Pages">
      <span>
        {count(offset + 1)}–{count(Math.min(offset + pageSize, total))} of {count(total)}
      </span>
      <span className="end row">
        <Button
          size="s"
          icon="left"
          aria-label="Previous page"
          unless={isFirst && 'This is the first page.'}
          onClick={() => onGo(Math.max(0, offset - pageSize) || undefined)}
        />
        <Button
          size="s"
          icon="right"
          aria-label="Next page"
          unless={isLast && 'This is the last page.'}
          onClick={() => onGo(offset + pageSize)}
        />
      </span>
    </nav>
  );
}
