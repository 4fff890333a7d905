import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import type { SenderId } from '../../kernel/ids.ts';

/** Refuses to remove the sender of a published workflow. Reads one graph for each workflow that is live or paused. */
export async function refuseWhilePublished({ db, org }: Work, sender: SenderId): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select w.name from workflows w
    join workflow_versions v on v.org_id = w.org_id and v.workflow_id = w.id and v.version = w.live_version
    where w.org_id = ${org} and jsonb_path_exists(
      v.graph, '$.nodes.*.message.sender_id ? (@ == $sender)', jsonb_build_object('sender', ${sender.toLowerCase()}::text))
    order by w.created_at, w.id limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) return;
  throw new Failure(
    'still_referenced',
    `The workflow ${found.name} sends from it. Publish that with another sender first.`,
  );
}
