import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { OpenImport, Target } from './open-imports.ts';
import { labelOf, newProperty, propertyTypes, valueOf } from './targets.ts';

interface MapRowProps {
  readonly column: string;
  readonly open: OpenImport & { readonly offer: NonNullable<OpenImport['offer']> };
  /** What the service says against it. */
  readonly wrong: { readonly code: string; readonly detail: string } | undefined;
  readonly onChoose: (target: Target) => void;
  /** Lets the rows be checked although samples do not fit. */
  readonly onAllTheSame: (() => void) | undefined;
}

const mostShown = 3;
const longestShown = 40;

export function MapRow({ column, open, wrong, onChoose, onAllTheSame }: MapRowProps) {
  const { file, offer, chosen } = open;
  const target = chosen[column] ?? 'skip';
  const values = file.samples.map((sample) => sample[column] ?? '').filter((value) => value.trim() !== '');
  const shown = [...new Set(values)]
    .slice(0, mostShown)
    .map((value) => (value.length > longestShown ? `${value.slice(0, longestShown)}…` : value));
  const choices = [...offer.targets].toSorted(
    (one, other) => Number(other.target === 'skip') - Number(one.target === 'skip'),
  );
  const choose = (value: string): void => {
    const found = choices.find((choice) => valueOf(choice.target) === value)!.target;
    onChoose(valueOf(found) === 'new property' ? newProperty(column, values) : found);
  };
  const isNew = typeof target !== 'string' && 'new_property' in target;
  return (
    <tr className={wrong === undefined ? undefined : 'bad'}>
      <th scope="row" className="first">
        <span className="ellipsis">{column}</span>
        {file.renamed[column] !== undefined && <span className="hint">{file.renamed[column]}</span>}
      </th>
      <td className="smp muted">
        <span className="ellipsis">{shown.length === 0 ? '—' : shown.join(', ')}</span>
      </td>
      <td className="ar" aria-hidden="true">
        →
      </td>
      <td className="tg">
        <Select
          aria-label={`What ${column} becomes`}
          aria-invalid={wrong === undefined ? undefined : true}
          value={valueOf(target)}
          choices={choices.map((choice) => [valueOf(choice.target), labelOf(choice.target)] as const)}
          onChange={(event) => choose(event.target.value)}
        />
        {isNew && <NewProperty column={column} made={target.new_property} onChange={onChoose} />}
      </td>
      <td className="last told">
        {wrong === undefined ? (
          <span className="hint">{hintOf(open, column, target)}</span>
        ) : (
          <span className="err" role="alert">
            <Icon name="bad" small />
            <span>
              {wrong.detail}{' '}
              {wrong.code === 'sample_misfit' && isNew && (
                <Button
                  kind="ghost"
                  size="s"
                  onClick={() => onChoose({ new_property: { ...target.new_property, type: 'string' } })}
                >
                  Make it text
                </Button>
              )}
              {wrong.code === 'sample_misfit' && !isNew && onAllTheSame !== undefined && (
                <Button kind="ghost" size="s" onClick={onAllTheSame}>
                  Check the rows all the same
                </Button>
              )}
            </span>
          </span>
        )}
      </td>
    </tr>
  );
}

/** What becomes of the column, in the service's words, and whether it was the service that proposed it. */
function hintOf({ offer }: MapRowProps['open'], column: string, target: Target): string {
  if (target === 'skip') return 'not imported';
  const suggested = offer.columns.find((one) => one.column === column)?.suggested ?? null;
  const takes = offer.targets.find((one) => valueOf(one.target) === valueOf(target))?.takes ?? '';
  return suggested !== null && valueOf(suggested) === valueOf(target) ? `Suggested. ${takes}` : takes;
}

interface NewPropertyProps {
  readonly column: string;
  readonly made: Extract<Target, { new_property: unknown }>['new_property'];
  readonly onChange: (target: Target) => void;
}

const NewProperty = ({ column, made, onChange }: NewPropertyProps) => (
  <span className="made row mt2">
    <Input
      size="s"
      aria-label={`Key of the property for ${column}`}
      value={made.key}
      onChange={(event) => onChange({ new_property: { ...made, key: event.target.value } })}
    />
    <Select
      size="s"
      aria-label={`Type of the property for ${column}`}
      value={made.type}
      choices={propertyTypes}
      onChange={(event) =>
        onChange({ new_property: { ...made, type: event.target.value as typeof made.type } })
      }
    />
  </span>
);
