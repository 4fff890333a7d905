import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useOrg } from '../call/use-call.ts';
import type { Problem } from '../call/problem.ts';
import { count, people } from '../format/number.ts';
import type { CsvFile } from '../imports/csv-file.ts';
import { FileDrop } from '../imports/file-drop.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select } from '../ui/field.tsx';
import { readColumns, sendAttendance, type Columns, type Refused } from './attendance-file.ts';
import type { Webinar } from './state.tsx';
import '../imports/imports.css';

interface TakeAttendanceProps {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

interface Taken {
  readonly changed: number;
  readonly refused: readonly Refused[];
}

/** Who came, from a file: registrants by their email or user id, and if it has such a column, whether they came. */
export function TakeAttendance({ webinar, open, onClose }: TakeAttendanceProps) {
  const org = useOrg();
  const client = useQueryClient();
  const [file, setFile] = useState<CsvFile>();
  const [columns, setColumns] = useState<Columns>();
  const [sent, setSent] = useState<number>();
  const [taken, setTaken] = useState<Taken>();
  const [problem, setProblem] = useState<Problem>();
  const close = (): void => {
    file?.close();
    setFile(undefined);
    setTaken(undefined);
    setProblem(undefined);
    onClose();
  };
  const send = (): void => {
    setSent(0);
    setProblem(undefined);
    sendAttendance(org, webinar.id, file!, columns!, setSent)
      .then(setTaken, setProblem)
      .finally(() => {
        setSent(undefined);
        void client.invalidateQueries({ queryKey: [org, 'list_registrations'] });
        void client.invalidateQueries({ queryKey: [org, 'find_registrants'] });
      });
  };
  const choices = file?.columns.map((name) => [name, name] as const) ?? [];
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Attendance from a file"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={close}>
            {taken === undefined ? 'Cancel' : 'Close'}
          </Button>
          {file !== undefined && taken === undefined && (
            <Button
              kind="primary"
              unless={columns === undefined && 'Choose the column that says who.'}
              busy={sent !== undefined && `Recording ${count(sent)} of ${count(file.count)}`}
              onClick={send}
            >
              {`Record ${count(file.count)} rows`}
            </Button>
          )}
        </span>
      }
    >
      {file === undefined ? (
        <FileDrop
          isBeside
          title="Drop a CSV of who came"
          hint="A header, then a row each, with the email or your own id of a registrant."
          onFile={async (opened) => {
            setFile(opened);
            setColumns(readColumns(opened.columns));
          }}
        />
      ) : taken === undefined ? (
        <div className="col g4">
          <Field label="Who" hint="An email, or your own id of the person.">
            {(ids) => (
              <Select
                {...ids}
                value={columns?.who ?? ''}
                choices={columns === undefined ? [['', 'Choose a column'], ...choices] : choices}
                onChange={({ target: { value } }) => setColumns({ ...columns, who: value })}
              />
            )}
          </Field>
          <Field
            label="Whether they came"
            hint="true or false, yes or no, 1 or 0. Without it, everybody in the file came."
          >
            {(ids) => (
              <Select
                {...ids}
                value={columns?.attended ?? ''}
                choices={[['', 'Everybody in the file came'], ...choices]}
                onChange={({ target: { value } }) =>
                  columns !== undefined &&
                  setColumns(value === '' ? { who: columns.who } : { ...columns, attended: value })
                }
              />
            )}
          </Field>
          {problem !== undefined && (
            <p className="note bad" role="alert">
              {problem.message} Rows before it are recorded; to send all again changes nothing of them.
            </p>
          )}
        </div>
      ) : (
        <div role="status">
          <p>{taken.changed === 0 ? 'Nothing changed' : `Attendance of ${people(taken.changed)} changed`}.</p>
          {taken.refused.length > 0 && (
            <>
              <p className="mt2">{count(taken.refused.length)} rows were left out:</p>
              <ul className="plain left-out">
                {taken.refused.slice(0, 50).map(({ row, who, why }) => (
                  <li key={row}>
                    Row {count(row)}, {who === '' ? 'blank' : who}: {why}
                  </li>
                ))}
              </ul>
              {taken.refused.length > 50 && (
                <p className="hint">and {count(taken.refused.length - 50)} more</p>
              )}
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}
