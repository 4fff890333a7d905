import type { Work } from '../../../database/work.ts';
import { suppressedAmong } from '../../identifiers/suppressed-address.ts';

/** Which of a few addresses must not be written to: they are suppressed, or their holder opted out. */
export async function unwantedAmong(
  work: Work,
  channel: 'email' | 'sms',
  addresses: readonly string[],
): Promise<Set<string>> {
  const unwanted = new Set((await suppressedAmong(work, channel, addresses)).keys());
  if (channel === 'sms') return unwanted; // suppressedAmong already checks all holders of a number
  const holders = await work.db
    .selectFrom('identifiers as i')
    .innerJoin('opt_outs as o', (join) =>
      join.onRef('o.org_id', '=', 'i.org_id').onRef('o.person_id', '=', 'i.person_id'),
    )
    .select('i.value')
    .where('i.org_id', '=', work.org)
    .where('i.type', '=', 'email')
    .where('i.value', 'in', addresses)
    .where('o.email_opt_out', '=', true)
    .execute();
  for (const { value } of holders) unwanted.add(value);
  return unwanted;
}
