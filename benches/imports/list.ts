import type pg from 'pg';
import type { OrgId } from '../../src/kernel/ids.ts';

/** One row of a list: who it means, and what it says of them. */
export interface Listed {
  readonly external_id: string;
  readonly email: string;
  readonly phone: string;
  readonly first_name: string;
  readonly company: string;
  readonly seats: number;
}

export const columns = ['Customer', 'Email', 'Phone', 'First name', 'Company', 'Seats'] as const;

export const mapping = {
  Customer: 'external_user_id',
  Email: 'email',
  Phone: 'phone',
  'First name': 'first_name',
  Company: { property: 'company' },
  Seats: { property: 'seats' },
};

export const toCells = (row: Listed): Record<(typeof columns)[number], string | number> => ({
  Customer: row.external_id,
  Email: row.email,
  Phone: row.phone,
  'First name': row.first_name,
  Company: row.company,
  Seats: row.seats,
});

/** So that a round is about other people than the one before. */
export interface Which {
  readonly rows: number;
  readonly people: number;
  readonly round: number;
}

/** Half of the rows are about people who are there, spread over all of them and in no order; nobody is, in an empty one. */
export async function listFor(client: pg.Client, org: OrgId, which: Which): Promise<Listed[]> {
  const { rows, people, round } = which;
  const half = people === 0 ? 0 : Math.floor(rows / 2);
  const apart = Math.floor(people / Math.max(half, 1));
  if (half > 0 && round >= apart) throw new Error(`round ${round} would be about people of another round`);
  const { rows: known } = await client.query<Pick<Listed, 'external_id' | 'email' | 'phone'>>(
    `select external_user_id as external_id, primary_email as email, primary_phone as phone
     from people p join generate_series(0, $2::bigint - 1) n
       on p.org_id = $1 and p.id = (select i.person_id from identifiers i
         where i.org_id = $1 and i.type = 'org_assigned_user_id' and i.value = 'ext-' || 1 + n * $3::bigint + $4::bigint)
     order by md5(external_user_id)`,
    [org, half, apart, round],
  );
  const list: Listed[] = [];
  for (let n = 0; n < rows; n++) {
    const who = n % 2 === 0 ? known[n / 2] : undefined;
    const fresh = `${round}-${(n * 7919) % 99_991}-${n}`;
    list.push({
      external_id: who?.external_id ?? `new-${fresh}`,
      email: who?.email ?? `new-${fresh}@example.net`,
      phone: who?.phone ?? `+1777${round}${String(n).padStart(6, '0')}`,
      first_name: `First ${n % 500}`,
      company: `Company ${(n * 31 + round) % 7_000}`,
      seats: (n * 17 + round) % 1_000,
    });
  }
  return list;
}
