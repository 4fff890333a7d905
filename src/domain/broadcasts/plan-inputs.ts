import type { z } from 'zod';
import type { Work } from '../../database/work.ts';
import type { FieldError } from '../../kernel/failure.ts';
import type { SegmentId, SenderId } from '../../kernel/ids.ts';
import { missingVariables } from '../content/accept-variables.ts';
import { readAllowance, type Allowance } from '../orgs/allowance.ts';
import { readSettings } from '../orgs/settings.ts';
import type { Condition } from '../segments/condition.ts';
import { readFilters } from '../segments/read-filters.ts';
import { filtersOf, findSegment, type SegmentRow } from '../segments/segment.ts';
import { readLayout, type EmailLayout } from '../senders/email-layout.ts';
import { readSender, type SenderRecord } from '../senders/sender.ts';
import { readSmsNumber } from '../senders/sms-number.ts';
import { findWebinar, type Webinar } from '../webinars/webinar.ts';
import type { Draft } from './draft-input.ts';
import type { StoredBroadcast } from './broadcast-rows.ts';
import { draftOf } from './draft-of-row.ts';
import { sendTime } from './send-time.ts';

/** Everything a plan is made of, as it stands at one moment. Who is in the audience is counted apart. */
export interface PlanInputs {
  readonly id: string;
  readonly created_at: Date;
  readonly revision: number;
  readonly draft: Draft;
  readonly segment:
    | (SegmentRow & { readonly conditions: readonly Condition[]; readonly errors: readonly FieldError[] })
    | undefined;
  readonly webinar: Webinar | undefined;
  readonly sender: SenderRecord | undefined;
  readonly layout: z.input<typeof EmailLayout>;
  readonly smsNumber: string | undefined;
  readonly allowance: z.input<typeof Allowance> | undefined;
  /** When it would go out, if that can be told. */
  readonly sendAt: Date | undefined;
  readonly timedByWebinar: boolean;
  /** Placeholders whose source is gone. */
  readonly missing: readonly string[];
  readonly zone: string;
  readonly twoKeySending: boolean;
}

/** `asked` is when it should go out, unless its webinar says. */
export async function readPlanInputs(work: Work, row: StoredBroadcast, asked?: Date): Promise<PlanInputs> {
  const draft = draftOf(row);
  const settings = await readSettings(work);
  const webinar = draft.webinar_id === null ? undefined : await findWebinar(work, draft.webinar_id);
  const { timed, at } = sendTime(draft, webinar);
  const sendAt = timed ? at : asked;
  return {
    id: row.id,
    created_at: row.created_at,
    revision: row.revision,
    draft,
    segment: draft.segment_id === null ? undefined : await readSegment(work, draft.segment_id as SegmentId),
    webinar,
    sender: draft.sender_id === null ? undefined : await readSender(work, draft.sender_id as SenderId),
    layout: await readLayout(work),
    smsNumber: draft.channel === 'sms' ? await readSmsNumber(work) : undefined,
    sendAt,
    timedByWebinar: timed,
    allowance: await readAllowance(work, draft.channel, sendAt ?? work.now),
    missing: await missingVariables(work, draft.variables, { webinar: webinar !== undefined }),
    zone: settings.timezone,
    twoKeySending: settings.two_key_sending,
  };
}

async function readSegment(work: Work, id: SegmentId): Promise<PlanInputs['segment']> {
  const row = await findSegment(work, id);
  return row === undefined ? undefined : { ...row, ...(await readFilters(work, filtersOf(row))) };
}
