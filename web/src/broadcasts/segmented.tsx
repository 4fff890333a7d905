interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [value: Value, label: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Why one of them cannot be chosen. */
  readonly unless?: (value: Value) => string | false;
}

/** Changes a value or a view. */
export const Segmented = <Value extends string>({
  label,
  choices,
  value,
  onChange,
  unless = () => false,
}: SegmentedProps<Value>) => (
  <div className="seg" role="group" aria-label={label}>
    {choices.map(([choice, words]) => {
      const reason = unless(choice);
      return (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === value}
          aria-disabled={reason !== false || undefined}
          title={reason === false ? undefined : reason}
          onClick={() => reason === false && onChange(choice)}
        >
          {words}
        </button>
      );
    })}
  </div>
);
