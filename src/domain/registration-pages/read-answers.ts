import { anEmail } from '../identifiers/identifier.ts';
import { mostTextInValue } from '../properties/property-value.ts';
import type { BuiltIn, ShownField } from './page-field.ts';
import type { PublicPage } from './public-page.ts';

/** What was typed, by the names of the inputs. */
export type Typed = ReadonlyMap<string, string>;

export interface Answers {
  /** As register_for_webinar takes it. */
  readonly user: Readonly<Record<string, unknown>>;
  readonly consent: string | null;
  /** What is missing or cannot be read, by the names of the inputs. */
  readonly wrong: ReadonlyMap<string, string>;
}

export const consentName = 'consent';

const mostOf: Readonly<Record<BuiltIn, number>> = {
  full_name: 200,
  first_name: 200,
  last_name: 200,
  email: 320,
  phone: 40,
};
const aPhone = /^\+?[\d\s()./-]+$/;

/** Makes of what was typed what registering takes. */
export function readAnswers({ fields, consentText }: PublicPage, typed: Typed): Answers {
  const user: Record<string, unknown> = {};
  const properties: Record<string, string | number | boolean> = {};
  const wrong = new Map<string, string>();
  for (const field of fields) {
    const value = (typed.get(field.name) ?? '').trim();
    const problem = problemOf(field, value);
    if (problem !== undefined) wrong.set(field.name, problem);
    else if (value !== '' && field.key === undefined) user[field.kind] = value;
    else if (value !== '' && field.key !== undefined) properties[field.key] = valueOf(field, value);
  }
  const agreed = typed.get(consentName) === 'yes';
  if (consentText !== null && !agreed) wrong.set(consentName, 'Registering takes your consent.');
  if (Object.keys(properties).length > 0) user['properties'] = properties;
  return { user, consent: agreed ? consentText : null, wrong };
}

function problemOf({ required, kind }: ShownField, value: string): string | undefined {
  if (value === '') {
    if (!required) return undefined;
    return kind === 'boolean' ? 'Tick this to go on.' : 'Please fill this in.';
  }
  if (value.includes('\0') || !value.isWellFormed())
    return 'This holds signs that are no text. Type it anew.';
  const most = kind in mostOf ? mostOf[kind as BuiltIn] : mostTextInValue;
  if (value.length > most) return `At most ${most} characters; these are ${value.length}.`;
  if (kind === 'email' && !anEmail.test(value))
    return 'Enter a whole email address, such as name@example.com.';
  if (kind === 'phone' && (!aPhone.test(value) || value.replaceAll(/\D/g, '').length < 5))
    return 'Enter a phone number with its country, such as +1 555 123 4567.';
  if (kind === 'number' && !Number.isFinite(Number(value.replace(',', '.')))) return 'Enter a number.';
  return undefined;
}

const valueOf = ({ kind }: ShownField, value: string): string | number | boolean =>
  kind === 'number' ? Number(value.replace(',', '.')) : kind === 'boolean' ? true : value;
