import { Field, Input } from '../ui/field.tsx';

interface ColorFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly readOnly: boolean;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text.trim());

/** A colour that is typed, or picked beside. */
export const ColorField = ({ label, hint, error, value, readOnly, onChange }: ColorFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <span className="row">
        <Input {...ids} placeholder="#1d4ed8" value={value} readOnly={readOnly} onChange={onChange} />
        <input
          type="color"
          className="well"
          aria-label={`Pick the ${label.toLowerCase()}`}
          disabled={readOnly}
          value={isColor(value) ? value.trim() : '#1d4ed8'}
          onChange={onChange}
        />
      </span>
    )}
  </Field>
);
