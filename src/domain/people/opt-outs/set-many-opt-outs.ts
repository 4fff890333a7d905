import { sql } from 'kysely';
import { z } from 'zod';
import { holdPeople } from '../../../database/hold-people.ts';
import { defineOperation, type Work } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { personNotFound } from '../../identifiers/require-person.ts';
import { forgetSuppression } from '../../identifiers/suppressed-address.ts';

const most = 200;

export const setManyOptOuts = defineOperation({
  name: 'set_many_opt_outs',
  title: 'Set opt-outs of many',
  summary:
    'Opt up to 200 people out of marketing email or texts at once, or back in. Answers for whom that changed ' +
    'something: sending those with the opposite takes it back. Nobody is changed if one of them is not there. Opt ' +
    'somebody back in only when they asked for it.',
  permission: 'people.write',
  effect: 'change',
  evenSuspended: true, // nobody who opts out may be lost
  repeatable: true,
  faces: { rest: ['PATCH /v1/people/opt-outs'] },
  input: z.strictObject({
    person_ids: z.array(PersonId).min(1).max(most),
    channel: z.enum(['email', 'sms']),
    opt_out: z.boolean(),
  }),
  output: z.object({ changed: z.array(PersonId).describe('Who was not as asked before.') }),
  handle: async (work, { person_ids, channel, opt_out }) => {
    const held = await holdPeople(work, person_ids, 'alone');
    const there = new Set<string>(held);
    const missing = person_ids.find((id) => !there.has(id.toLowerCase()));
    if (missing !== undefined) throw await personNotFound(work, missing);
    const changed = await write(work, held, channel, opt_out);
    if (!opt_out) await forgetSuppression(work, held, channel);
    if (changed.length > 0) work.touched['person_ids'] = changed;
    return { changed };
  },
});

/** Whoever has no row is opted out of nothing. A link that opted somebody out does not undo what was said here. */
async function write(
  work: Work,
  people: readonly PersonId[],
  channel: 'email' | 'sms',
  isOut: boolean,
): Promise<PersonId[]> {
  const [flag, by, other] = [
    `${channel}_opt_out`,
    `${channel}_out_by`,
    channel === 'email' ? 'sms' : 'email',
  ];
  const { rows } = await sql<{ id: PersonId }>`
    with those as materialized (
      select p.id, coalesce(o.${sql.ref(flag)}, false) as was, o.${sql.ref(by)} is not null as by_link
      from unnest(${people}::uuid[]) p(id)
      left join opt_outs o on o.org_id = ${work.org} and o.person_id = p.id
    ), written as (
      insert into opt_outs (org_id, person_id, ${sql.ref(flag)}, ${sql.ref(`${other}_opt_out`)}, updated_at)
      select ${work.org}, id, ${isOut}, false, ${work.now} from those where was <> ${isOut} or by_link
      on conflict (org_id, person_id) do update set
        ${sql.ref(flag)} = excluded.${sql.ref(flag)}, ${sql.ref(by)} = null, updated_at = excluded.updated_at
    )
    select id from those where was <> ${isOut} order by id`.execute(work.db);
  return rows.map(({ id }) => id);
}
