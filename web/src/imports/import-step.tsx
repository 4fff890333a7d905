import { Link, useNavigate } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { ChooseAgain } from './choose-again.tsx';
import { Download } from './download.tsx';
import { LeftOutRows } from './left-out-rows.tsx';
import { MendAnew } from './mend-anew.tsx';
import { useOpen } from './open-imports.ts';
import { outcomes, type ImportSearch, type Outcome } from './search.ts';
import { Share } from './share.tsx';

type Told = Output<'get_import'>;

interface ImportStepProps {
  readonly told: Told;
  readonly search: ImportSearch;
}

/** How far a committed import is, and what came of it. The service keeps all of it, so a reload changes nothing. */
export function ImportStep({ told, search }: ImportStepProps) {
  const isUnderWay = told.status === 'committing';
  return (
    <>
      {isUnderWay && <AskAgain id={told.id} />}
      <Progress told={told} />
      {!isUnderWay && <Result told={told} />}
      <WereLeftOut told={told} search={search} />
      <p className="note mt4">
        <Icon name="info" />
        <span>
          {isUnderWay && 'It cannot be cancelled. '}
          Rows that were left out can be downloaded, mended and imported again; rows that are done are not
          written twice.
        </span>
      </p>
      <div className="row g4 wrap mt4">
        <CopyAsCall operation="get_import" input={{ import_id: told.id }} />
      </div>
    </>
  );
}

function AskAgain({ id }: { readonly id: Told['id'] }) {
  useAsk('get_import', { import_id: id }, { everyMs: 1_000 });
  return null;
}

function Progress({ told }: { readonly told: Told }) {
  const { total_rows, pending, succeeded, failed, skipped } = told;
  return (
    <section className="card mt6">
      <div className="body">
        <div
          className="row"
          role="progressbar"
          aria-label="Rows dealt with"
          aria-valuenow={total_rows - pending}
          aria-valuemax={total_rows}
        >
          <span className="fig xl">{count(total_rows - pending)}</span>
          <span className="muted">of {count(total_rows)} rows</span>
        </div>
        <div className="mt3">
          <Share
            parts={[
              ['done', succeeded, 'var(--accent)'],
              ['failed', failed, 'var(--outcome-failed-solid)'],
              ['left out', skipped, 'var(--outcome-skipped-solid)'],
              ['waiting', pending, 'var(--surface-3)'],
            ]}
            all={total_rows}
          />
        </div>
      </div>
    </section>
  );
}

function Result({ told }: { readonly told: Told }) {
  const org = useOrg();
  const figures = [
    ['People made', told.people_created],
    ['People merged away', told.people_merged],
    ['Opted out of email', told.people_opted_out],
    ['Rejected at the check', told.rejected_rows],
  ] as const;
  return (
    <section className="card mt4">
      <header>
        <h2>What came of it</h2>
        <Link className="link end" to="/o/$org/people" params={{ org }} search={{}}>
          See people
        </Link>
      </header>
      <div className="nums">
        {figures.map(([label, some]) => (
          <div key={label}>
            <p className="hint">{label}</p>
            <div className="fig">{count(some)}</div>
          </div>
        ))}
      </div>
    </section>
  );
}

const labels: Readonly<Record<Outcome, string>> = {
  failed: 'Failed',
  skipped: 'Left out, would merge',
  rejected: 'Rejected at the check',
};

function WereLeftOut({ told, search }: ImportStepProps) {
  const navigate = useNavigate({ from: '/o/$org/imports/$import' });
  const open = useOpen(told.id);
  const counts = { failed: told.failed, skipped: told.skipped, rejected: told.rejected_rows };
  const some = outcomes.filter((one) => counts[one] > 0);
  const [first] = some;
  if (first === undefined) return null;
  const outcome = search.outcome !== undefined && counts[search.outcome] > 0 ? search.outcome : first;
  return (
    <>
      {some.length > 1 && (
        <div className="seg mt4" role="group" aria-label="Which rows">
          {some.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === outcome}
              onClick={() => void navigate({ search: { outcome: one }, resetScroll: false })}
            >
              {labels[one]} {count(counts[one])}
            </button>
          ))}
        </div>
      )}
      <LeftOutRows told={told} outcome={outcome} offset={search.offset ?? 0} title={labels[outcome]}>
        {open !== undefined && (
          <>
            <Download file={open.file} told={told} outcome={outcome} label="Download" />
            <MendAnew file={open.file} told={told} outcome={outcome} />
          </>
        )}
      </LeftOutRows>
      {open === undefined && <ChooseAgain told={told} />}
    </>
  );
}
