import type { Work } from '../../src/database/work.ts';
import { refreshPrimariesOf } from '../../src/domain/identifiers/refresh-primaries.ts';
import { rememberAddresses } from '../../src/domain/identifiers/suppressed-address.ts';
import { toColumns } from '../../src/domain/properties/property-value.ts';
import { newId, type PersonId } from '../../src/kernel/ids.ts';
import type { List } from './identify-list.ts';
import { known } from './list-remains.ts';

/** The same in every organization: an id counts within its own. */
export const properties = [
  { id: '00000000-0000-4000-9000-000000000000', key: 'color', type: 'string' },
  { id: '00000000-0000-4000-9000-000000000001', key: 'size', type: 'number' },
  { id: '00000000-0000-4000-9000-000000000002', key: 'trial', type: 'boolean' },
] as const;

/** Puts everybody of a list there who is there before it comes, with the same ids in whichever organization. */
export async function arrangeList(work: Work, { people, remembered }: List): Promise<void> {
  const { org: org_id, now: created_at } = work;
  const ids = people.map((_, index) => `${known}${String(index).padStart(12, '0')}` as PersonId);
  const insert = async <
    T extends 'people' | 'identifiers' | 'property_values' | 'opt_outs' | 'email_blacklist',
  >(
    table: T,
    rows: readonly object[],
  ): Promise<void> => {
    const inserting = work.db.insertInto(table) as unknown as {
      values(rows: readonly object[]): { execute(): Promise<unknown> };
    };
    if (rows.length > 0) await inserting.values(rows.map((row) => ({ org_id, ...row }))).execute();
  };
  await work.db
    .insertInto('property_configs')
    .values(properties.map(({ key, ...rest }) => ({ org_id, key, name: key, ...rest, created_at })))
    .execute();
  const updated_at = created_at;
  await insert(
    'people',
    people.map(({ first_name, last_name }, n) => ({
      id: ids[n],
      first_name,
      last_name,
      created_at,
      updated_at,
    })),
  );
  await insert(
    'identifiers',
    people.flatMap(({ identifiers }, n) =>
      identifiers.map(({ primary, contact, ...rest }) => ({
        id: newId(created_at),
        person_id: ids[n],
        ...rest,
        is_primary_for_type: primary,
        is_contact_method: contact,
        created_at,
      })),
    ),
  );
  await insert(
    'property_values',
    people.flatMap(({ values }, n) =>
      values.flatMap((value, place) => {
        const changed_by = newId(created_at);
        const about = { person_id: ids[n], config_id: properties[place]!.id, changed_by, created_at };
        return value === undefined ? [] : { ...about, ...toColumns(value) };
      }),
    ),
  );
  await insert(
    'opt_outs',
    people.flatMap(({ optOuts }, n) =>
      optOuts === null
        ? []
        : { person_id: ids[n], email_opt_out: optOuts.email, sms_opt_out: optOuts.sms, updated_at },
    ),
  );
  await insert(
    'email_blacklist',
    people.flatMap(({ blacklisted }, n) =>
      blacklisted === null
        ? []
        : { id: newId(created_at), person_id: ids[n], email: blacklisted, reason: 'bounced', created_at },
    ),
  );
  await refreshPrimariesOf(work, ids);
  await rememberAddresses(work, remembered);
}
