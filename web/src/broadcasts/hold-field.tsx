import { Input } from '../ui/field.tsx';
import type { Draft } from './use-draft.ts';

/** By how much the audience may change until it goes out; empty: by any amount. */
export function HoldField({ draft: { fields, change, problem } }: { readonly draft: Draft }) {
  const refused = problem?.at('/hold_if_audience_changes_by');
  const percent = fields.hold_if_audience_changes_by;
  return (
    <div className="mt4">
      <label className="row g2 wrap">
        <span>Hold it if the audience changes by more than</span>
        <Input
          type="number"
          min={1}
          max={100}
          placeholder="any"
          aria-invalid={refused === undefined ? undefined : true}
          value={percent ?? ''}
          onChange={({ target: { value } }) =>
            change({ hold_if_audience_changes_by: value === '' ? null : Number(value) })
          }
        />
        <span>%</span>
      </label>
      {refused === undefined ? (
        <p className="hint mt1">
          {percent === null
            ? 'It goes out however many are there then.'
            : 'Counted from the plan to the moment it begins. Held, it waits for you.'}
        </p>
      ) : (
        <p className="err mt1">{refused}</p>
      )}
    </div>
  );
}
