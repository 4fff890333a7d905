import { count } from '../format/number.ts';
import { Checkbox, Field, Input, Select } from '../ui/field.tsx';
import type { Coverage, Definition, Source } from './variables.ts';

interface DefinitionFieldsProps {
  readonly definition: Definition | undefined;
  readonly sources: readonly Source[];
  readonly coverage: Coverage | undefined;
  readonly onChange: (definition: Definition) => void;
}

const patterns = [
  ['', 'As it is'],
  ['d MMMM yyyy', '3 March 2026'],
  ['EEEE, d MMMM', 'Tuesday, 3 March'],
  ['HH:mm', '14:05'],
  ['relative-short', 'in 3 days'],
  ['relative-today', 'today, tomorrow, …'],
] as const;

/** What a variable reads, what stands for nothing, the text around it and its form. */
export function DefinitionFields({ definition, sources, coverage, onChange }: DefinitionFieldsProps) {
  const source = sources.find(({ variable }) => variable === definition?.variable);
  const set = (changed: Partial<Definition>): void =>
    onChange({ variable: definition?.variable ?? '', ...definition, ...changed });
  const format = definition?.date_format ?? '';
  return (
    <div className="col mt2">
      {source === undefined && (
        <Field label="What it reads" hint="What it read is not there any more.">
          {(ids) => (
            <Select
              {...ids}
              size="s"
              value=""
              onChange={({ target: { value } }) => value !== '' && set({ variable: value })}
              choices={[['', 'Choose'], ...sources.map(({ variable, label }) => [variable, label] as const)]}
            />
          )}
        </Field>
      )}
      <Field label="When somebody has none">
        {(ids) => (
          <Input
            {...ids}
            size="s"
            value={definition?.fallback ?? ''}
            onChange={({ target: { value } }) => set({ fallback: value })}
          />
        )}
      </Field>
      <Field label="Text around it" hint="{{var}} marks the value.">
        {(ids) => (
          <Input
            {...ids}
            size="s"
            value={definition?.template ?? '{{var}}'}
            onChange={({ target: { value } }) => set({ template: value })}
          />
        )}
      </Field>
      {source?.type === 'date' && (
        <Field label="Written as">
          {(ids) => (
            <Select
              {...ids}
              size="s"
              value={format}
              onChange={({ target: { value } }) => set({ date_format: value === '' ? null : value })}
              choices={
                patterns.some(([pattern]) => pattern === format)
                  ? patterns
                  : [...patterns, [format, format] as const]
              }
            />
          )}
        </Field>
      )}
      {source?.type === 'text' && (
        <Checkbox
          label="Repair the casing of self-typed names"
          checked={definition?.text_format === 'name'}
          onChange={({ target: { checked } }) => set({ text_format: checked ? 'name' : null })}
        />
      )}
      {coverage !== undefined && (
        <div aria-live="polite">
          <div className="meter">
            <i
              style={{
                width: `${(100 * coverage.with_value) / Math.max(1, coverage.with_value + coverage.with_fallback)}%`,
              }}
            />
          </div>
          <p className="hint mt1">
            {count(coverage.with_value)} of {count(coverage.with_value + coverage.with_fallback)} have one
            {coverage.with_fallback > 0 &&
              (definition?.fallback
                ? `; ${count(coverage.with_fallback)} will read “${definition.fallback}”`
                : `; ${count(coverage.with_fallback)} will read nothing there`)}
            .
          </p>
        </div>
      )}
    </div>
  );
}
