import { useWhyNot } from '../frame/me.ts';
import { ExportButton } from '../ui/export-button.tsx';
import type { PeopleSearch } from './search.ts';
import { filtersOf } from './use-people.ts';

export function Export({ search }: { readonly search: PeopleSearch }) {
  const whyNot = useWhyNot()('list_people');
  return (
    <ExportButton
      path="/v1/people/export"
      query={filtersOf(search)}
      file="people.csv"
      unless={whyNot ?? (search.find !== undefined && 'Filters can be exported, a search cannot.')}
    />
  );
}
