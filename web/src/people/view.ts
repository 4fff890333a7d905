import type { Input, Output } from '../call/types.ts';
import { addressOf, columnsOf } from './columns.tsx';
import type { PeopleSearch } from './search.ts';
import { filtersOf } from './use-people.ts';

export type View = Output<'list_people_views'>['views'][number];
export type Shows = Omit<Input<'save_people_view'>, 'name'>;

/** What the page shows, as a view keeps it. */
export const shownBy = (search: PeopleSearch): Shows => ({
  filters: filtersOf(search),
  ...(search.sort !== undefined && { sort: search.sort }),
  ...(search.order !== undefined && { order: search.order }),
  ...(search.columns !== undefined && { columns: columnsOf(search.columns).map(({ name }) => name) }),
});

/** The address of a view. */
export function searchOf({ id, filters, sort, order, columns }: View): PeopleSearch {
  const shown = columns === undefined ? undefined : addressOf(columns);
  return {
    ...filters,
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    ...(shown !== undefined && { columns: shown }),
    view: id,
  } as PeopleSearch;
}

/** Whether the page still shows what the view keeps. */
export function isAs(view: View, search: PeopleSearch): boolean {
  const { offset: _offset, person: _person, find: _find, ...shown } = search;
  const kept: Record<string, unknown> = { ...searchOf(view) };
  const now: Record<string, unknown> = shown;
  return [...new Set([...Object.keys(kept), ...Object.keys(now)])].every((name) => kept[name] === now[name]);
}
