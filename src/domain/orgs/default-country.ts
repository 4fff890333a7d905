import type { Work } from '../../database/work.ts';

/** Where phone numbers without a country are dialed, if the organization said so. */
export async function readCountry({ db, org }: Work): Promise<string | null> {
  const { default_country } = await db
    .selectFrom('organizations')
    .select('default_country')
    .where('id', '=', org)
    .executeTakeFirstOrThrow();
  return default_country;
}
