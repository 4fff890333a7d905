import { useParams, useSearch } from '@tanstack/react-router';
import type { Output } from '../call/types.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { CheckStep } from './check-step.tsx';
import { ChooseAgain } from './choose-again.tsx';
import { Discard } from './discard.tsx';
import { ImportState } from './import-state.tsx';
import { ImportStep } from './import-step.tsx';
import { MapStep } from './map-step.tsx';
import { countOf, useOpen } from './open-imports.ts';
import { PreviewStep } from './preview-step.tsx';
import type { Step } from './search.ts';
import { Stepper } from './stepper.tsx';
import './imports.css';

type Told = Output<'get_import'>;

export function ImportPage() {
  const org = useOrg();
  const { import: id } = useParams({ from: '/o/$org/imports/$import' });
  const asked = useAsk('get_import', { import_id: id as Told['id'] });
  return (
    <Page
      crumbs={[
        ['People', `/o/${org}/people`],
        ['Imports', `/o/${org}/imports`],
      ]}
      title={asked.data?.file_name ?? 'Import'}
    >
      <div className="page mid imp">
        {asked.error !== null ? (
          <Failed problem={asked.error} what="this import" heading="h1" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <OneImport told={asked.data} />
        )}
      </div>
    </Page>
  );
}

const isDraft = ({ status }: Told): boolean => status === 'draft' || status === 'mapped';

const isAllSent = ({ id, total_rows, rejected_rows }: Told): boolean =>
  countOf(id, total_rows + rejected_rows) === total_rows + rejected_rows;

/** Where the import is, whatever the address asks for: nothing is checked before it is mapped, or previewed in part. */
const stepOf = (told: Told, asked: Step | undefined): Step | 'import' => {
  if (!isDraft(told)) return 'import';
  if (told.mapping === null) return 'map';
  return asked === 'preview' && !isAllSent(told) ? 'check' : (asked ?? 'check');
};

function OneImport({ told }: { readonly told: Told }) {
  const search = useSearch({ from: '/o/$org/imports/$import' });
  const open = useOpen(told.id);
  const step = stepOf(told, search.step);
  const { offer } = open ?? {};
  return (
    <>
      <div className="head">
        <div className="grow">
          <h1 className="ellipsis" title={told.file_name}>
            {told.file_name}
          </h1>
          <p className="sub">
            <Subtitle told={told} step={step} />
          </p>
        </div>
        <div className="acts">
          {isDraft(told) ? (
            <Discard id={told.id} name={told.file_name} />
          ) : (
            <ImportState status={told.status} />
          )}
        </div>
      </div>
      <Stepper now={step} {...(isDraft(told) && { draft: told.id })} />
      {step === 'map' ? (
        open !== undefined && offer !== undefined ? (
          <MapStep key={told.id} id={told.id} open={{ ...open, offer }} />
        ) : (
          <ChooseAgain told={told} toMap />
        )
      ) : step === 'check' ? (
        <CheckStep told={told} offset={search.offset ?? 0} />
      ) : step === 'preview' ? (
        <PreviewStep id={told.id} merges={search.merges ?? 'block'} />
      ) : (
        <ImportStep told={told} search={search} />
      )}
    </>
  );
}

function Subtitle({ told, step }: { readonly told: Told; readonly step: Step | 'import' }) {
  const open = useOpen(told.id);
  const { now, zone } = useNow();
  const { rejected_rows, committed_at } = told;
  if (step === 'map')
    return (
      <>
        {open !== undefined && `${count(open.file.count)} ${open.file.count === 1 ? 'row' : 'rows'}, `}
        {told.columns.length} {told.columns.length === 1 ? 'column' : 'columns'}. Nothing is written to people
        before the last step.
      </>
    );
  if (step === 'check') {
    if (!isAllSent(told)) return 'The rows are sent and checked. Nothing is written to people yet.';
    return rejected_rows === 0
      ? 'Every row fits.'
      : `${count(rejected_rows)} ${rejected_rows === 1 ? 'row does' : 'rows do'} not fit and ${
          rejected_rows === 1 ? 'is' : 'are'
        } left out unless you mend ${rejected_rows === 1 ? 'it' : 'them'}.`;
  }
  if (step === 'preview')
    return 'What the import would change, counted against your people now. Still nothing written.';
  const begun = `Begun ${moment(new Date(committed_at!), zone, now)} ${cityOf(zone)}.`;
  return told.status === 'committing' ? `${begun} You may leave this page; it goes on.` : begun;
}
