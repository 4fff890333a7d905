import { formatDate } from './date-format.ts';
import { valueMark, type Definition } from './definition.ts';
import { repairName } from './name-format.ts';
import { readDate, type Occasion } from './read-date.ts';
import type { NameParts, Value } from './source.ts';

/**
 * A value as it appears in the message: formatted, inside the template. A person without a value gets the fallback,
 * without the template: "Dear {{var}}," is for people whose name is known.
 */
export function renderValue(value: Value, definition: Definition, moment: Occasion): string {
  const text = toText(value, definition, moment);
  if (text === undefined || isBlank(text)) return definition.fallback;
  // A function, because $& and its like mean something in a replacement text.
  return definition.template.replaceAll(valueMark, () => text);
}

const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{Cf}]/u.test(text);

function toText(
  value: Value,
  { date_format, text_format }: Definition,
  moment: Occasion,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (date_format !== null) {
    const date =
      value instanceof Date ? { at: value } : typeof value === 'string' ? readDate(value) : undefined;
    return date === undefined ? undefined : formatDate(date, date_format, moment);
  }
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return nameToText(value, text_format);
  return text_format === 'name' ? repairName(value) : value;
}

function nameToText({ given, family }: NameParts, text_format: Definition['text_format']): string {
  const repair = text_format === 'name' ? repairName : (part: string) => part;
  return [repair(given ?? '', 'given'), repair(family ?? '', 'family')]
    .filter((part) => !isBlank(part))
    .join(' ');
}

let decimal: Intl.NumberFormat | undefined;

/** Without the exponent that String has for large and small numbers. */
function plainNumber(value: number): string {
  if (value === 0) return '0';
  // Made when it is needed: the first formatter of a process takes 40 ms, which every start would wait for.
  decimal ??= new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return decimal.format(value);
}
