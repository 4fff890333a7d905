import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';

/** Only there while something is being imported. */
export function ImportsUnderWay() {
  const org = useOrg();
  const asked = useAsk('list_data_imports', {}, { everyMs: 5_000 });
  const running = asked.data?.data_imports.filter(({ status }) => status === 'committing') ?? [];
  if (running.length === 0) return null;
  return (
    <section className="card">
      <header>
        <h2>Import under way</h2>
      </header>
      {running.map(({ id, file_name, processed_rows, total_rows }) => (
        <div key={id} className="body">
          <div className="row">
            <Link className="medium ellipsis" to="/o/$org/imports/$import" params={{ org, import: id }}>
              {file_name}
            </Link>
            <span className="end hint">
              {count(processed_rows)} of {count(total_rows)} rows
            </span>
          </div>
          <div className="meter l mt2" aria-hidden="true">
            <i style={{ width: `${(100 * processed_rows) / Math.max(1, total_rows)}%` }} />
          </div>
        </div>
      ))}
    </section>
  );
}
