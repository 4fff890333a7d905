import { sql } from 'kysely';
import { holdPeople } from '../../database/hold-people.ts';
import { orgTransaction, TryAgain } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { toColumns } from './property-value.ts';
import type { PropertyChanges } from './request-changes.ts';

/**
 * Applies one requested change and removes its row, in one transaction: a second run finds nothing to do. A value set
 * more recently than this change was asked for stays; one whose config is gone is dropped. Returns whether it ran.
 */
export function applyChanges(database: Database, org: OrgId, id: string): Promise<boolean> {
  return orgTransaction(database, org, 'write', async (db) => {
    const due = await db
      .selectFrom('property_changes')
      .select('person_id')
      .where('org_id', '=', org)
      .where('id', '=', id)
      .executeTakeFirst();
    if (due === undefined) return false;
    // Locks the person before the values, as every writer does: a concurrent merge would carry the old values along.
    await holdPeople({ db, org }, [due.person_id], 'alone');
    const change = await db
      .deleteFrom('property_changes')
      .where('org_id', '=', org)
      .where('id', '=', id)
      .where('person_id', '=', due.person_id)
      .returning(['person_id', 'changes', 'requested_at'])
      .executeTakeFirst();
    if (change === undefined) throw new TryAgain();
    const wanted = Object.entries(change.changes as unknown as PropertyChanges).map(([config_id, value]) => ({
      config_id,
      ...toColumns(value),
    }));
    await sql`
      insert into property_values as v
        (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
      select ${org}, ${change.person_id}, c.id, w.text_value, w.number_value, w.boolean_value,
        ${id}::uuid, ${change.requested_at}
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(config_id uuid, text_value text, number_value double precision, boolean_value boolean)
      join property_configs c on c.org_id = ${org} and c.id = w.config_id
      on conflict (org_id, person_id, config_id) do update set
        text_value = excluded.text_value,
        number_value = excluded.number_value,
        boolean_value = excluded.boolean_value,
        changed_by = excluded.changed_by
      where v.changed_by <= excluded.changed_by`.execute(db);
    return true;
  });
}
