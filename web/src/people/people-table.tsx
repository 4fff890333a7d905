import { useRouter } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import { useOrg } from '../call/use-call.ts';
import { useNow } from '../frame/clock.tsx';
import { useMe } from '../frame/me.ts';
import { Icon } from '../ui/icon.tsx';
import { columnsOf } from './columns.tsx';
import { initialsOf, nameOf } from './name.ts';
import type { PeopleSearch } from './search.ts';
import type { Chosen } from './use-chosen.ts';
import type { ListedPerson, Sort } from './use-people.ts';

interface PeopleTableProps {
  readonly people: readonly ListedPerson[];
  readonly search: PeopleSearch;
  readonly isOld: boolean;
  readonly chosen: Chosen;
  readonly onSort: (sort: Sort, order: 'asc' | 'desc') => void;
  readonly onOpen: (person: string) => void;
}

export function PeopleTable({ people, search, isOld, chosen, onSort, onOpen }: PeopleTableProps) {
  const columns = columnsOf(search.columns);
  const isAll = people.every(({ id }) => chosen.ids.has(id));
  const open = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (row === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(row.dataset['row']!);
  };
  return (
    <div className="scrolls">
      <table className="tbl ppl" aria-busy={isOld}>
        <colgroup>
          <col className="c-tick only-wide" />
          <col className="c-who" />
          {columns.map(({ name, width }, place) => (
            <col key={name} className={hides(place, columns)} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th className="first tickcell only-wide">
              <input
                type="checkbox"
                aria-label="Choose everybody on this page"
                checked={isAll}
                ref={(box) => {
                  if (box !== null) box.indeterminate = !isAll && people.some(({ id }) => chosen.ids.has(id));
                }}
                onChange={() =>
                  chosen.set(
                    people.map(({ id }) => id),
                    !isAll,
                  )
                }
              />
            </th>
            <SortHead label="Person" by="last_name" search={search} onSort={onSort} className="whohead" />
            {columns.map(({ name, label, sort, isNumber }, place) =>
              sort === undefined || search.find !== undefined ? (
                <th key={name} className={`${isNumber === true ? 'num' : ''}${hides(place, columns)}`}>
                  {label}
                </th>
              ) : (
                <SortHead
                  key={name}
                  label={label}
                  by={sort}
                  search={search}
                  onSort={onSort}
                  className={`${isNumber === true ? 'num' : ''}${hides(place, columns)}`}
                />
              ),
            )}
          </tr>
        </thead>
        <tbody onClick={open}>
          <Rows people={people} search={search} chosen={chosen} />
        </tbody>
      </table>
    </div>
  );
}

/** What else the page comes to know does not draw them again. */
const Rows = memo(function Rows({
  people,
  search,
  chosen,
}: Omit<PeopleTableProps, 'isOld' | 'onSort' | 'onOpen'>) {
  const { organization } = useMe();
  const how = { ...useNow(), currency: organization.currency };
  const columns = columnsOf(search.columns);
  const addressOf = useAddressOf(search);
  return people.map((person) => (
    <tr key={person.id} className={person.id === search.person ? 'on' : undefined}>
      <td className="first tickcell only-wide">
        <input
          type="checkbox"
          aria-label={`Choose ${nameOf(person)}`}
          checked={chosen.ids.has(person.id)}
          onChange={(event) => chosen.set([person.id], event.target.checked)}
        />
      </td>
      <td className="who">
        <Who person={person} address={addressOf(person.id)} isOpen={person.id === search.person} />
      </td>
      {columns.map(({ name, isNumber, show }, place) => (
        <td key={name} className={`${isNumber === true ? 'num' : ''}${hides(place, columns)}`}>
          {show(person, how)}
        </td>
      ))}
    </tr>
  ));
});

/** Beside an open person the later columns make room, and on a phone all but the first. */
const hides = (place: number, { length }: readonly unknown[]): string =>
  `${place > 0 ? ' only-wide' : ''}${place > 3 ? ' closes' : ''}${place === length - 1 ? ' last' : ''}`;

interface WhoProps {
  readonly person: ListedPerson;
  readonly address: string;
  readonly isOpen: boolean;
}

/** A plain link, which the table follows: fifty that each ask the router are slow to draw. */
const Who = ({ person, address, isOpen }: WhoProps) => (
  <a href={address} className="row g3" data-row={person.id} aria-current={isOpen ? 'page' : undefined}>
    <span className="avatar" aria-hidden="true">
      {initialsOf(person)}
    </span>
    <span className="col g0">
      <span className="medium ellipsis">{nameOf(person)}</span>
      <span className="hint ellipsis">
        {person.primary_email ?? person.primary_phone ?? person.external_user_id ?? '—'}
      </span>
    </span>
  </a>
);

/** Where a person is open beside this list. */
function useAddressOf({ person: _person, ...list }: PeopleSearch): (person: string) => string {
  const org = useOrg();
  const { href } = useRouter().buildLocation({ to: '/o/$org/people', params: { org }, search: list });
  return (person) => `${href}${href.includes('?') ? '&' : '?'}person=${person}`;
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
