import { Link, useSearch } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { people as countPeople } from '../format/number.ts';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Pager } from '../ui/pager.tsx';
import { asSegment } from './as-segment.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { Export } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PeopleTable } from './people-table.tsx';
import { PersonPanel } from './person-panel.tsx';
import { NewPerson } from './new-person.tsx';
import type { PeopleSearch } from './search.ts';
import { useRowKeys } from './row-keys.ts';
import { useChosen } from './use-chosen.ts';
import { pageSize, filtersOf, useChange, usePeople } from './use-people.ts';
import { Views } from './views.tsx';
import './people.css';

export function PeoplePage() {
  const search = useSearch({ from: '/o/$org/people' });
  const { list, people, total } = usePeople(search);
  const segments = useAsk('list_segments', {}, { enabled: search.segment_id !== undefined });
  const segment = segments.data?.segments.find(({ id }) => id === search.segment_id);
  const change = useChange();
  const chosen = useChosen();
  useRowKeys(people, search.person, chosen, (person) => change({ person }));
  const whyNotAdd = useWhyNot()('identify_person');
  const place = people.findIndex(({ id }) => id === search.person);
  const offset = search.find === undefined ? (search.offset ?? 0) : 0;
  return (
    <Page crumbs={[]} title="People">
      <div className={search.person === undefined ? 'wp' : 'wp open'}>
        <div className="left">
          <div className="ptop row">
            <h1 className="ttl">People</h1>
            <span className="end row">
              <Export search={search} />
              <Button kind="primary" unless={whyNotAdd} onClick={() => change({ make: true })}>
                New person
              </Button>
            </span>
          </div>
          <Views search={search} onChange={change} />
          {chosen.ids.size > 0 ? (
            <BulkBar chosen={chosen} />
          ) : (
            <FilterBar
              search={search}
              problem={list.error}
              segmentName={search.segment_id === undefined ? undefined : (segment?.name ?? search.segment_id)}
              onChange={(changed) =>
                change({ ...(changed as Partial<PeopleSearch>), offset: undefined, person: undefined })
              }
            />
          )}
          {list.error !== null && list.error.status !== 400 ? (
            <Failed problem={list.error} what="people" retry={() => void list.refetch()} />
          ) : total === undefined ? (
            <Skeleton rows={12} />
          ) : total === 0 ? (
            <Nobody isFiltered={search.find !== undefined || Object.keys(filtersOf(search)).length > 0} />
          ) : (
            <>
              <div className="cnt">
                <p role="status">
                  <b>{countPeople(total)}</b> <span className="muted">{sayFound(search, total)}</span>
                </p>
                <span className="end row g1">
                  <ColumnsMenu shown={search.columns} onChange={change} />
                  <SaveAsSegment search={search} />
                </span>
              </div>
              <PeopleTable
                people={people}
                search={search}
                isOld={list.isPlaceholderData}
                chosen={chosen}
                onSort={(sort, order) => change({ sort, order, offset: undefined })}
                onOpen={(person) => change({ person })}
              />
              <Pager
                total={total}
                offset={offset}
                size={pageSize}
                onGo={(to) => change({ offset: to, person: undefined })}
              />
            </>
          )}
        </div>
        {search.person !== undefined && (
          <PersonPanel
            key={search.person}
            id={search.person}
            summary={people[place]}
            where={place === -1 || total === undefined ? undefined : { place: offset + place, total }}
            before={people[place - 1]?.id}
            after={place === -1 ? undefined : people[place + 1]?.id}
            onOpen={(person) => change({ person })}
          />
        )}
      </div>
      <NewPerson
        open={search.make === true && whyNotAdd === undefined}
        onClose={() => change({ make: undefined })}
        onMade={(person) => change({ make: undefined, person })}
      />
    </Page>
  );
}

const sayFound = ({ find }: PeopleSearch, total: number): string =>
  find === undefined ? (total === 1 ? 'matches' : 'match') : `with “${find}” in an address, a phone or an id`;

function SaveAsSegment({ search }: { readonly search: PeopleSearch }) {
  const org = useOrg();
  const made = asSegment(search);
  const whyNot = useWhyNot()('create_segment') ?? ('whyNot' in made ? made.whyNot : undefined);
  if (whyNot !== undefined || 'whyNot' in made)
    return (
      <Button kind="ghost" size="s" unless={whyNot}>
        Save as segment
      </Button>
    );
  return (
    <Link
      className="btn ghost s accent"
      to="/o/$org/segments/$segment"
      params={{ org, segment: 'new' }}
      search={{ filters: made.conditions }}
    >
      Save as segment
    </Link>
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
