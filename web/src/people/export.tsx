import { useState } from 'react';
import { download } from '../call/call.ts';
import { useOrg } from '../call/use-call.ts';
import type { Problem } from '../call/problem.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import type { PeopleSearch } from './search.ts';
import { filtersOf } from './use-people.ts';

/** Everybody in the list as a file, not only this page. Leaving the page ends it. */
export function Export({ search }: { readonly search: PeopleSearch }) {
  const org = useOrg();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const whyNot = useWhyNot()('list_people');
  const toast = useToast();
  const query = new URLSearchParams(
    Object.entries(filtersOf(search)).map(([name, value]) => [name, String(value)]),
  ).toString();
  const begin = (): void => {
    setBusy(true);
    download(org, `/v1/people/export${query === '' ? '' : `?${query}`}`, 'people.csv')
      .then(() => toast('people.csv is downloaded'), setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button
        icon="download"
        busy={isBusy && 'Exporting'}
        unless={whyNot ?? (search.find !== undefined && 'Filters can be exported, a search cannot.')}
        onClick={begin}
      >
        Export
      </Button>
      <Dialog
        open={problem !== undefined}
        onClose={() => setProblem(undefined)}
        title="The export broke off"
        footer={
          <span className="row end">
            <Button onClick={() => setProblem(undefined)}>Close</Button>
          </span>
        }
      >
        <p>{problem?.message}</p>
        {problem !== undefined && problem.requestId !== '' && (
          <p className="hint mono request">{problem.requestId}</p>
        )}
      </Dialog>
    </>
  );
}
