import { TZDate } from '@date-fns/tz';
import { clockTime } from '../format/time.ts';
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

/** 2026-11-24 */
const isoDay = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

export const write = (at: Date, zone: string): Written => ({
  date: isoDay(at, zone),
  time: clockTime(at, zone),
  zone,
});

/** The moment that is written, or undefined while something of it is missing. */
export function readMoment({ date, time, zone }: Written): Date | undefined {
  const [year, month, day] = date.split('-').map(Number);
  const [hour, minute] = time.split(':').map(Number);
  if ([year, month, day, hour, minute].some((part) => part === undefined || Number.isNaN(part)))
    return undefined;
  if (!isKnown(zone)) return undefined;
  return new Date(new TZDate(year!, month! - 1, day!, hour!, minute!, zone).getTime());
}

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
