import { useId, type ComponentProps, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './field.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong, with the way out. */
  readonly error?: string | undefined;
  readonly children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** A label above, a hint or a complaint below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const isTold = hint !== undefined || error !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': isTold ? `${id}-told` : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined ? (
        <p className="err" id={`${id}-told`}>
          <Icon name="bad" small />
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p className="hint" id={`${id}-told`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export const Input = ({
  size,
  ...rest
}: Omit<ComponentProps<'input'>, 'size'> & { readonly size?: 's' | 'l' }) => (
  <input
    {...rest}
    className={`input${size === undefined ? '' : ` ${size}`}${rest['aria-invalid'] ? ' bad' : ''}`}
  />
);

interface SelectProps extends Omit<ComponentProps<'select'>, 'size'> {
  readonly size?: 's';
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export const Select = ({ size, choices, ...rest }: SelectProps) => (
  <span className="select">
    <select
      {...rest}
      className={`input${size === undefined ? '' : ` ${size}`}${rest['aria-invalid'] ? ' bad' : ''}`}
    >
      {choices.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <Icon name="updown" small />
  </span>
);

export const Checkbox = ({ label, ...rest }: ComponentProps<'input'> & { readonly label: ReactNode }) => (
  <label className="tickable">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);
