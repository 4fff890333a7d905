import type pg from 'pg';
import type { TestOrg } from '../../support/test-org.ts';
import { dates } from './plan-population.ts';

/** A person as the tables have it, for judging by the words of the specification and nothing else. */
export interface Person {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly mrr: number;
  readonly next_payment_date: Date | null;
  readonly identifiers: readonly {
    readonly type: string;
    readonly value: string;
    readonly typed: string | null;
    readonly created_at: string;
    readonly id: string;
    readonly is_contact_method: boolean;
    readonly is_primary_for_type: boolean;
  }[];
  readonly opt_outs: { readonly email_opt_out: boolean; readonly sms_opt_out: boolean } | null;
  readonly blacklist: readonly { readonly email: string; readonly reason: string }[];
  readonly properties: Readonly<Record<string, string | number | boolean | null>>;
  readonly registrations: Readonly<Record<string, { attended: boolean; join_url: string | null }>>;
}

export async function readPeople(admin: pg.Client, org: TestOrg): Promise<Person[]> {
  const { rows } = await admin.query<Person>(
    `select p.id, p.first_name, p.last_name, p.mrr::int as mrr, p.next_payment_date,
       (select coalesce(json_agg(i), '[]') from identifiers i where i.org_id = p.org_id and i.person_id = p.id) as identifiers,
       (select to_json(o) from opt_outs o where o.org_id = p.org_id and o.person_id = p.id) as opt_outs,
       (select coalesce(json_agg(b), '[]') from email_blacklist b where b.org_id = p.org_id and b.person_id = p.id) as blacklist,
       (select coalesce(json_object_agg(c.key, coalesce(to_json(v.text_value), to_json(v.number_value), to_json(v.boolean_value))), '{}')
         from property_values v join property_configs c on c.org_id = v.org_id and c.id = v.config_id
         where v.org_id = p.org_id and v.person_id = p.id) as properties,
       (select coalesce(json_object_agg(r.webinar_id, r), '{}') from registrations r
         where r.org_id = p.org_id and r.person_id = p.id) as registrations
     from people p where p.org_id = $1`,
    [org.id],
  );
  return rows;
}

export const addressOf = (person: Person, type: 'email' | 'phone') =>
  person.identifiers.find((one) => one.type === type && one.is_primary_for_type);

export const oldestOf = (person: Person, wanted: string) =>
  person.identifiers
    .filter(({ type, is_contact_method }) => type === wanted && is_contact_method)
    .toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1))[0];

/** Why the person would not get it; nothing: it would. */
export function reasonAgainst(person: Person, channel: 'email' | 'sms'): string | undefined {
  const type = channel === 'email' ? 'email' : 'phone';
  const primary = addressOf(person, type);
  const address = primary?.is_contact_method === true ? primary : oldestOf(person, type);
  if (address === undefined) return 'no_address';
  if (person.opt_outs?.[`${channel}_opt_out`] === true) return 'opted_out';
  if (channel === 'email') return person.blacklist.find(({ email }) => email === address.value)?.reason;
  const digits = address.value.split(/[ ().-]/).join('');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? undefined : 'invalid_address';
}

const own = '{{context.root_context.org_user.';
export interface Webinar {
  readonly id: string;
  readonly join_url: string | null;
}

/** What a body here reads, how it is defined, and what stands there for a person: nothing, or something blank, is no value. */
export const readings: Readonly<
  Record<
    string,
    {
      readonly definition: { readonly variable: string; readonly [part: string]: string | null };
      readonly read: (person: Person, webinar: Webinar | undefined) => string | null | undefined;
      readonly needsWebinar?: true;
    }
  >
> = {
  var_first: {
    definition: {
      variable: `${own}first_name}}`,
      text_format: null,
      fallback: 'friend',
      template: 'Dear {{var}}',
    },
    read: ({ first_name }) => first_name,
  },
  var_full: {
    definition: { variable: `${own}full_name}}`, text_format: null },
    read: ({ first_name, last_name }) =>
      [first_name, last_name].filter((name) => !isBlank(name ?? '')).join(' '),
  },
  var_phone: {
    definition: { variable: `${own}primary_phone}}`, fallback: 'no phone' },
    read: (person) => addressOf(person, 'phone')?.typed ?? addressOf(person, 'phone')?.value,
  },
  var_mrr: {
    definition: { variable: `${own}mrr}}`, fallback: '?' },
    read: ({ mrr }) => String(mrr / 100),
  },
  var_pays: {
    definition: { variable: `${own}next_payment_date}}`, date_format: 'yyyy-MM-dd' },
    read: ({ next_payment_date }) => next_payment_date?.toISOString().slice(0, 10),
  },
  var_tier: {
    definition: {
      variable: `${own}custom_properties.tier}}`,
      fallback: 'none',
      template: '[{{var}}|{{var}}]',
    },
    read: ({ properties }) => properties['tier'] as string,
  },
  var_seats: {
    definition: { variable: `${own}custom_properties.seats}}`, template: '{{var}} seats' },
    read: ({ properties }) => asText(properties['seats']),
  },
  var_vip: {
    definition: { variable: `${own}custom_properties.vip}}`, fallback: 'perhaps' },
    read: ({ properties }) => asText(properties['vip']),
  },
  var_renews: {
    definition: {
      variable: `${own}custom_properties.renews}}`,
      fallback: 'never',
      date_format: 'yyyy-MM-dd',
    },
    read: ({ properties }) => dates[String(properties['renews'])],
  },
  var_join: {
    definition: { variable: '{{context.root_context.join_url}}', fallback: 'no link' },
    read: ({ registrations }, webinar) => registrations[webinar?.id ?? '']?.join_url || webinar?.join_url,
    needsWebinar: true,
  },
  var_own: {
    definition: { variable: '{{context.root_context.registration_join_url}}', fallback: 'no link of theirs' },
    read: ({ registrations }, webinar) => registrations[webinar?.id ?? '']?.join_url || undefined,
    needsWebinar: true,
  },
};

const asText = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value as string);

export const isBlank = (text: string): boolean => text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '') === '';
