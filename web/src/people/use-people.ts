import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAsk } from '../call/use-call.ts';
import type { Input, Output } from '../call/types.ts';
import type { PeopleSearch } from './search.ts';

export const pageSize = 50;
type Engagement = Output<'list_people_engagement'>['people'][number];
/** A person of a list, with what is asked for beside it once it is answered. */
export type ListedPerson = Output<'list_people'>['people'][number] & Partial<Omit<Engagement, 'person_id'>>;
export type Sort = NonNullable<Input<'list_people'>['sort']>;

/** What of the address narrows the list. */
export const filtersOf = ({
  find: _find,
  person: _person,
  view: _view,
  columns: _columns,
  make: _make,
  sort: _sort,
  order: _order,
  offset: _offset,
  ...filters
}: PeopleSearch) => filters;

const nobody: readonly Output<'list_people'>['people'][number][] = [];

/** A part of an identifier is searched for; everything else is a filtered list. */
export function usePeople(search: PeopleSearch) {
  const { find, sort, order, offset } = search;
  const page = {
    ...filtersOf(search),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    ...(offset !== undefined && { offset }),
  };
  const listed = useAsk(
    'list_people',
    { ...page, limit: pageSize },
    { keepsFormer: true, enabled: find === undefined },
  );
  const searched = useAsk(
    'search_people',
    { query: find ?? '' },
    { keepsFormer: true, enabled: find !== undefined },
  );
  const list = find === undefined ? listed : searched;
  const found = list.data?.people ?? nobody;
  const beside = useAsk(
    'list_people_engagement',
    { person_ids: found.map(({ id }) => id) },
    { enabled: found.length > 0 },
  );
  const people = useMemo((): readonly ListedPerson[] => {
    const byId = new Map(beside.data?.people.map(({ person_id, ...rest }) => [person_id as string, rest]));
    return found.map((person) => ({ ...person, ...byId.get(person.id) }));
  }, [found, beside.data]);
  return { list, people, total: find === undefined ? listed.data?.total : searched.data?.people.length };
}

type Changed = { [Name in keyof PeopleSearch]?: PeopleSearch[Name] | undefined };
/** What is changed may depend on what was changed last, which the page may not show yet. */
export type ChangeSearch = (changed: Changed | ((old: PeopleSearch) => Changed)) => void;

export function useChange(): ChangeSearch {
  const navigate = useNavigate({ from: '/o/$org/people' });
  return (changed) =>
    void navigate({
      search: (old) => {
        const all = { ...old, ...(typeof changed === 'function' ? changed(old) : changed) };
        return Object.fromEntries(
          Object.entries(all).filter(([, value]) => value !== undefined),
        ) as PeopleSearch;
      },
    });
}
