import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { WebinarId } from '../../../kernel/ids.ts';

/** A webinar as others read it: what it is called, when it is, and where. */
export interface Webinar {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly start_time: Date;
  readonly timezone: string | null;
  readonly duration_minutes: number | null;
  readonly join_url: string | null;
}

export const findWebinar = (work: Work, id: string): Promise<Webinar | undefined> =>
  work.db
    .selectFrom('webinars')
    .select(['id', 'title', 'status', 'start_time', 'timezone', 'duration_minutes', 'join_url'])
    .where('org_id', '=', work.org)
    .where('id', '=', id)
    .executeTakeFirst();

export async function requireWebinar(work: Work, id: WebinarId): Promise<Webinar> {
  const found = await findWebinar(work, id);
  if (found === undefined) throw webinarNotFound();
  return found;
}

export const webinarNotFound = (): Failure =>
  new Failure('not_found', 'No webinar with this id exists in this organization.');
