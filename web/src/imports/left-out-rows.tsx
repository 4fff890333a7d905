import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import type { Output } from '../call/types.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { useOpen } from './open-imports.ts';
import { LeftOutRow } from './left-out-row.tsx';
import type { Outcome } from './search.ts';

const pageSize = 20;

interface LeftOutRowsProps {
  readonly told: Output<'get_import'>;
  readonly outcome: Outcome;
  readonly offset: number;
  readonly title: string;
  readonly children?: ReactNode;
}

/** A page of the rows that were left out, with the cell at fault while the file is at hand. */
export function LeftOutRows({ told, outcome, offset, title, children }: LeftOutRowsProps) {
  const org = useOrg();
  const { id } = told;
  const heading = useRef<HTMLHeadingElement>(null);
  const open = useOpen(id);
  const isUnderWay = told.status === 'committing';
  const asked = useAsk(
    'get_import',
    { import_id: id, outcome, limit: pageSize, offset },
    { keepsFormer: true, ...(isUnderWay && { everyMs: 2_000 }) },
  );
  const rows = asked.data?.failed_rows ?? [];
  const numbers = rows.map(({ row }) => row);
  const cells = useQuery({
    queryKey: [org, 'cells', id, open?.file.digest, numbers],
    queryFn: () => open!.file.rows(numbers),
    enabled: open !== undefined,
  });
  return (
    <section className="card mt4">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <span className="end" />
        {children}
      </header>
      {asked.error !== null ? (
        <Failed problem={asked.error} what="these rows" retry={() => void asked.refetch()} />
      ) : asked.data === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <div>
          <table className="tbl ed2">
            <thead>
              <tr>
                <th className="first num">Row</th>
                <th>Column</th>
                <th>Value</th>
                <th>Why it was left out</th>
                <th className="last">
                  <span className="vh">Mend</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((left, place) => (
                <LeftOutRow
                  key={left.row}
                  told={told}
                  left={left}
                  cells={numbers.join() === '' ? undefined : cells.data?.[place]}
                  onMended={() => heading.current?.focus()}
                />
              ))}
            </tbody>
          </table>
          <Pager total={asked.data.total} offset={offset} />
        </div>
      )}
    </section>
  );
}

function Pager({ total, offset }: { readonly total: number; readonly offset: number }) {
  const navigate = useNavigate({ from: '/o/$org/imports/$import' });
  const go = (to: number): void =>
    void navigate({ search: (former) => ({ ...former, offset: Math.max(to, 0) }), resetScroll: false });
  const upTo = Math.min(offset + pageSize, total);
  return (
    <div className="pager">
      <span>
        {count(Math.min(offset + 1, total))}–{count(upTo)} of {count(total)}
      </span>
      <span className="end" />
      {(offset > 0 || upTo < total) && (
        <>
          <Button
            kind="ghost"
            size="s"
            icon="left"
            aria-label="Former rows"
            unless={offset === 0 && 'These are the first.'}
            onClick={() => go(offset - pageSize)}
          />
          <Button
            kind="ghost"
            size="s"
            icon="right"
            aria-label="Next rows"
            unless={upTo >= total && 'These are the last.'}
            onClick={() => go(offset + pageSize)}
          />
        </>
      )}
    </div>
  );
}
