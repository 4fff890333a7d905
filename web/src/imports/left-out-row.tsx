import { useQueryClient } from '@tanstack/react-query';
import { useState, type KeyboardEvent } from 'react';
import limits from 'virtual:imports';
import { call } from '../call/call.ts';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { openOf } from './open-imports.ts';

type Told = Output<'get_import'>;

interface LeftOutRowProps {
  readonly told: Told;
  readonly left: Told['failed_rows'][number];
  /** As the file has them; undefined while it is not at hand. */
  readonly cells: readonly string[] | undefined;
  readonly onMended: () => void;
}

/** The column a reason names, else one that says who somebody is. */
function columnAtFault({ columns, mapping }: Told, reason: string): string | undefined {
  const named = columns
    .filter((column) => reason.startsWith(`Column ${column} `) || reason.startsWith(`Column ${column}:`))
    .toSorted((one, other) => other.length - one.length);
  const saysWho = (column: string): boolean =>
    limits.namingTargets.some((target) => target === mapping?.[column]);
  return named[0] ?? columns.find(saysWho);
}

const longestShown = 300;

export function LeftOutRow({ told, left, cells, onMended }: LeftOutRowProps) {
  const org = useOrg();
  const client = useQueryClient();
  const toast = useToast();
  const whyNot = useWhyNot()('mend_import_row');
  const [typed, setTyped] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const column = columnAtFault(told, left.reason);
  const at = told.columns.indexOf(column ?? '');
  const former = cells?.[at] ?? '';
  const canMend = left.outcome === 'rejected' && told.committed_at === null && cells !== undefined && at >= 0;
  const check = async (): Promise<void> => {
    const mended = told.columns.map((_, place) => (place === at ? typed! : (cells?.[place] ?? '')));
    setBusy(true);
    setWrong(undefined);
    try {
      const { rejected } = await call(org, 'mend_import_row', {
        import_id: told.id,
        row: left.row,
        cells: Object.fromEntries(told.columns.map((name, place) => [name, mended[place]!])),
      });
      await openOf(told.id)?.file.put(left.row, mended);
      if (rejected === null) {
        toast(`Row ${count(left.row)} fits now`);
        onMended();
      } else setTyped(undefined);
      await client.invalidateQueries({ queryKey: [org, 'cells'] });
      for (const changed of ['preview_import', 'get_import'])
        await client.invalidateQueries({ queryKey: [org, changed] });
    } catch (error) {
      setWrong((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && typed !== undefined) void check();
    if (event.key === 'Escape') setTyped(undefined);
  };
  return (
    <tr>
      <td className="first num muted">
        <span className="only-phone">Row </span>
        {count(left.row)}
      </td>
      <td className="col-name">
        <span className="ellipsis">{column ?? '—'}</span>
      </td>
      <td className="val">
        {cells === undefined ? (
          <span className="muted">—</span>
        ) : (
          <Input
            // The field of a row that is being mended is another one, and has the focus.
            key={typed === undefined ? 'shown' : 'mended'}
            size="s"
            aria-label={`${column ?? 'Value'} of row ${left.row}`}
            readOnly={typed === undefined}
            placeholder={typed === undefined ? '(blank)' : undefined}
            autoFocus={typed !== undefined}
            value={typed ?? former.slice(0, longestShown)}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={keys}
          />
        )}
      </td>
      <td className="why muted">
        {wrong === undefined ? (
          left.reason
        ) : (
          <span className="err" role="alert">
            {wrong}
          </span>
        )}
      </td>
      <td className="last num">
        {canMend &&
          (typed === undefined ? (
            <Button
              kind="ghost"
              size="s"
              unless={whyNot}
              aria-label={`Mend row ${left.row}`}
              onClick={() => setTyped(former)}
            >
              Mend
            </Button>
          ) : (
            <Button kind="primary" size="s" busy={isBusy && 'Checking'} onClick={() => void check()}>
              Check row
            </Button>
          ))}
      </td>
    </tr>
  );
}
