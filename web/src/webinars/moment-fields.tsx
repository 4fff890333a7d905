import { localOf, momentAt } from '../format/time.ts';
import { Field, Input } from '../ui/field.tsx';
import { elsewhere } from './when.ts';

/** A moment as somebody writes it: a day, a time and the zone these are in. */
export interface Written {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

const zones = Intl.supportedValuesOf('timeZone');
const isKnown = (zone: string): boolean => zone === 'UTC' || zones.includes(zone);

export function write(at: Date, zone: string): Written {
  const [date = '', time = ''] = localOf(at, zone).split('T');
  return { date, time, zone };
}

/** The moment that is written, or undefined while something of it is missing. */
export const readMoment = ({ date, time, zone }: Written): Date | undefined =>
  isKnown(zone) ? momentAt(`${date}T${time}`, zone) : undefined;

interface MomentFieldsProps {
  readonly value: Written;
  readonly onChange: (value: Written) => void;
  readonly error?: string | undefined;
  readonly labels?: readonly [day: string, time: string];
}

export function MomentFields({ value, onChange, error, labels = ['Day', 'Start'] }: MomentFieldsProps) {
  const at = readMoment(value);
  return (
    <div className="whenf">
      <Field label={labels[0]} error={error}>
        {(ids) => (
          <Input
            {...ids}
            type="date"
            required
            value={value.date}
            onChange={(event) => onChange({ ...value, date: event.target.value })}
          />
        )}
      </Field>
      <Field label={labels[1]}>
        {(ids) => (
          <Input
            {...ids}
            type="time"
            required
            value={value.time}
            onChange={(event) => onChange({ ...value, time: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Zone"
        error={isKnown(value.zone) ? undefined : 'Choose a zone of the list, such as Europe/Paris.'}
      >
        {(ids) => (
          <Input
            {...ids}
            list="zones"
            value={value.zone}
            onChange={(event) => onChange({ ...value, zone: event.target.value })}
          />
        )}
      </Field>
      <datalist id="zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {at !== undefined && <p className="hint">{elsewhere(at, value.zone)}</p>}
    </div>
  );
}
