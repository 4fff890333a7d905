import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { ImportState } from './import-state.tsx';
import './imports.css';

type Listed = Output<'list_data_imports'>['data_imports'][number];

export function ImportsPage() {
  const org = useOrg();
  const asked = useAsk('list_data_imports', {});
  const imports = asked.data?.data_imports;
  return (
    <Page crumbs={[['People', `/o/${org}/people`]]} title="Imports">
      <div className="page wide">
        <div className="head">
          <div>
            <h1>Imports</h1>
            <p className="sub">Lists of people, looked at before every step.</p>
          </div>
          {imports?.length !== 0 && (
            <div className="acts">
              <ImportFile />
            </div>
          )}
        </div>
        {asked.error !== null ? (
          <Failed problem={asked.error} what="imports" retry={() => void asked.refetch()} />
        ) : imports === undefined ? (
          <Skeleton rows={8} />
        ) : imports.length === 0 ? (
          <Blank icon="upload" title="No imports yet" action={<ImportFile />}>
            An import makes people of the rows of a CSV file, and says what it would change before it does.
          </Blank>
        ) : (
          <History imports={imports} />
        )}
        {imports?.some(({ status }) => status === 'committing') === true && <AskAgain />}
        <div className="row g4 wrap mt4">
          <CopyAsCall operation="list_data_imports" input={{}} />
        </div>
      </div>
    </Page>
  );
}

function ImportFile() {
  const org = useOrg();
  const whyNot = useWhyNot()('create_import');
  return (
    <Link
      className="btn primary"
      to="/o/$org/imports/new"
      params={{ org }}
      aria-disabled={whyNot !== undefined || undefined}
      title={whyNot}
    >
      Import a file
    </Link>
  );
}

/** While one is under way its progress is asked for. */
function AskAgain() {
  useAsk('list_data_imports', {}, { everyMs: 2_000 });
  return null;
}

function History({ imports }: { readonly imports: readonly Listed[] }) {
  const org = useOrg();
  const { now, zone } = useNow();
  return (
    <div className="card">
      <table className="tbl">
        <thead>
          <tr>
            <th className="first">File</th>
            <th>State</th>
            <th className="num only-wide">Rows</th>
            <th className="num only-wide">Done</th>
            <th className="num last only-wide">Made, times in {cityOf(zone)}</th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ id, file_name, status, total_rows, processed_rows, created_at }) => (
            <tr key={id}>
              <td className="first name">
                <Link
                  className="medium ellipsis"
                  to="/o/$org/imports/$import"
                  params={{ org, import: id }}
                  title={file_name}
                >
                  {file_name}
                </Link>
              </td>
              <td>
                <ImportState status={status} />
              </td>
              <td className="num only-wide">{count(total_rows)}</td>
              <td className="num only-wide muted">
                {status === 'draft' || status === 'mapped' ? '—' : count(processed_rows)}
              </td>
              <td className="num last only-wide muted">
                <time dateTime={created_at}>{moment(new Date(created_at), zone, now)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
