import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../call/call.ts';
import { Problem } from '../call/problem.ts';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { beginImport } from './begin-import.ts';
import { MapRow } from './map-row.tsx';
import { changeOpen, closeOpen, type OpenImport, type Target } from './open-imports.ts';
import { saveMapping } from './save-mapping.ts';

interface MapStepProps {
  readonly id: string;
  readonly open: OpenImport & { readonly offer: NonNullable<OpenImport['offer']> };
}

type Wrong = Problem['errors'];

const pointerTo = (column: string): string =>
  `/mapping/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`.slice(0, 300);

const isAt = (column: string, pointer: string): boolean =>
  pointer === pointerTo(column) || pointer.startsWith(`${pointerTo(column)}/`);

export function MapStep({ id, open }: MapStepProps) {
  const org = useOrg();
  const client = useQueryClient();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('set_import_mapping');
  const [wrong, setWrong] = useState<Wrong>([]);
  const [problem, setProblem] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const { file, chosen } = open;
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const errors = error instanceof Problem ? error.errors : [];
      setWrong(errors.filter(({ pointer }) => file.columns.some((column) => isAt(column, pointer))));
      const whole = errors.find(({ pointer }) => !file.columns.some((column) => isAt(column, pointer)));
      if (errors.length === 0 || whole !== undefined)
        setProblem(new Error(whole?.detail ?? (error as Error).message));
    } finally {
      setBusy(false);
    }
  };
  const check = (): Promise<void> =>
    act(async () => {
      await saveMapping(org, id, chosen);
      await client.invalidateQueries({ queryKey: [org, 'get_import'] });
      await navigate({
        to: '/o/$org/imports/$import',
        params: { org, import: id },
        search: { step: 'check' },
      });
    });
  const choose = (column: string, target: Target): void => {
    changeOpen(id, { chosen: { ...chosen, [column]: target } });
    setWrong(wrong.filter(({ pointer }) => !isAt(column, pointer)));
    setProblem(undefined);
  };
  /** The service judges a mapping by the samples of its draft, so another draft is made, without those. */
  const allTheSame = (column: string): Promise<void> =>
    act(async () => {
      const next = await beginImport(org, file, { former: chosen, unsampled: [...open.unsampled, column] });
      await call(org, 'cancel_import', { import_id: id });
      closeOpen(id);
      await navigate({
        to: '/o/$org/imports/$import',
        params: { org, import: next },
        search: { step: 'map' },
        replace: true,
      });
    });
  return (
    <>
      <section className="card mt6">
        <header>
          <h2>What each column becomes</h2>
          <span className="hint">suggested where header and values agree; “leave out” is an answer too</span>
        </header>
        <table className="tbl map">
          <thead>
            <tr>
              <th className="first">Column</th>
              <th className="smp">First values</th>
              <th className="ar">
                <span className="vh">to</span>
              </th>
              <th className="tg">Becomes</th>
              <th className="last">
                <span className="vh">What that means</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {file.columns.map((column) => (
              <MapRow
                key={column}
                column={column}
                open={open}
                wrong={wrong.find(({ pointer }) => isAt(column, pointer))}
                onChoose={(target) => choose(column, target)}
                onAllTheSame={() => void allTheSame(column)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {problem !== undefined && (
        <p className="note bad mt4" role="alert">
          <Icon name="bad" />
          <span>{problem.message}</span>
        </p>
      )}
      <div className="foot">
        <span className="hint" role="status">
          {wrong.length > 0 &&
            `${wrong.length} ${wrong.length === 1 ? 'thing' : 'things'} to settle before the rows are checked`}
        </span>
        <span className="end" />
        <Link className="btn secondary" to="/o/$org/imports/new" params={{ org }}>
          Back
        </Link>
        <Button kind="primary" unless={whyNot} busy={isBusy && 'Saving'} onClick={() => void check()}>
          Check {count(file.count)} {file.count === 1 ? 'row' : 'rows'}
        </Button>
      </div>
      <div className="row g4 wrap mt4">
        <CopyAsCall operation="set_import_mapping" input={{ import_id: id, mapping: chosen }} />
      </div>
    </>
  );
}
