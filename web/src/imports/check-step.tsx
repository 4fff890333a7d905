import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { ChooseAgain } from './choose-again.tsx';
import { Download } from './download.tsx';
import { LeftOutRows } from './left-out-rows.tsx';
import { countOf, useOpen } from './open-imports.ts';
import { sendRows } from './send-rows.ts';
import { Share } from './share.tsx';

interface CheckStepProps {
  readonly told: Output<'get_import'>;
  readonly offset: number;
}

/** The rows are sent and checked by the service as they come; then those that do not fit are shown. */
export function CheckStep({ told, offset }: CheckStepProps) {
  const org = useOrg();
  const client = useQueryClient();
  const open = useOpen(told.id);
  const hasFile = open !== undefined;
  const { id } = told;
  const send = (): void =>
    void sendRows(org, id).then(() =>
      Promise.all(
        ['get_import', 'preview_import'].map((changed) =>
          client.invalidateQueries({ queryKey: [org, changed] }),
        ),
      ),
    );
  useEffect(() => {
    if (hasFile) send();
    // Once for each import and file: what is sent already is not sent again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id, hasFile]);
  const sent = told.total_rows + told.rejected_rows;
  const all = countOf(id, sent);
  if (open?.isSending === true || open?.problem !== undefined)
    return <Sending sent={open.sent} all={all} problem={open.problem} onAgain={send} />;
  if (open === undefined && sent < all)
    return (
      <>
        <p className="note warn mt6">
          <Icon name="warning" />
          <span>
            <b>
              {count(sent)} of {count(all)} rows are sent.
            </b>{' '}
            The page was left before the others were. Choose the same file again, and they follow.
          </span>
        </p>
        <ChooseAgain told={told} />
      </>
    );
  if (sent !== all) return <Skeleton rows={6} />;
  return <Checked told={told} offset={offset} />;
}

interface SendingProps {
  readonly sent: number;
  readonly all: number;
  readonly problem: Error | undefined;
  readonly onAgain: () => void;
}

const Sending = ({ sent, all, problem, onAgain }: SendingProps) => (
  <section className="card mt6">
    <div className="body">
      <div className="row">
        <span className="fig xl">{count(sent)}</span>
        <span className="muted">of {count(all)} rows checked</span>
      </div>
      <div
        className="meter l mt3"
        role="progressbar"
        aria-label="Rows checked"
        aria-valuenow={sent}
        aria-valuemax={all}
      >
        <i style={{ width: `${(100 * sent) / all}%` }} />
      </div>
      {problem === undefined ? (
        <p className="hint mt3">Keep this tab open until all are sent. Other pages of it may be looked at.</p>
      ) : (
        <div className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span className="grow">{problem.message} What was sent is kept.</span>
          <Button size="s" icon="again" onClick={onAgain}>
            Go on
          </Button>
        </div>
      )}
    </div>
  </section>
);

function Checked({ told, offset }: CheckStepProps) {
  const org = useOrg();
  const { id, total_rows, rejected_rows } = told;
  const open = useOpen(id);
  const rows = `${count(rejected_rows)} ${rejected_rows === 1 ? 'row' : 'rows'}`;
  return (
    <>
      <section className="card mt6">
        <div className="body">
          <Share
            parts={[
              ['fit', total_rows, 'var(--accent)'],
              ['rejected', rejected_rows, 'var(--outcome-failed-solid)'],
            ]}
            all={total_rows + rejected_rows}
          >
            {rejected_rows > 0 && open !== undefined && (
              <Download file={open.file} told={told} outcome="rejected" label={`Download the ${rows}`} />
            )}
          </Share>
        </div>
      </section>
      {rejected_rows > 0 && (
        <>
          {open === undefined && <ChooseAgain told={told} />}
          <LeftOutRows told={told} outcome="rejected" offset={offset} title="Rejected rows" />
        </>
      )}
      <div className="foot">
        <span className="hint">Blank cells never overwrite a stored value.</span>
        <span className="end" />
        <Link
          className="btn secondary"
          to="/o/$org/imports/$import"
          params={{ org, import: id }}
          search={{ step: 'map' }}
        >
          Change mapping
        </Link>
        <Link
          className="btn primary"
          to="/o/$org/imports/$import"
          params={{ org, import: id }}
          search={{ step: total_rows === 0 ? 'check' : 'preview' }}
          aria-disabled={total_rows === 0 || undefined}
          title={total_rows === 0 ? 'No row fits. Mend one, or change the mapping.' : undefined}
        >
          {rejected_rows > 0
            ? `Preview without the ${rows}`
            : `Preview ${count(total_rows)} ${total_rows === 1 ? 'row' : 'rows'}`}
        </Link>
      </div>
      <div className="row g4 wrap mt4">
        <CopyAsCall operation="get_import" input={{ import_id: id, outcome: 'rejected' }} />
      </div>
    </>
  );
}
