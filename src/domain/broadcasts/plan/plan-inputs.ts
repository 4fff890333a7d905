import type { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import type { SegmentId, SenderId } from '../../../kernel/ids.ts';
import { missingVariables } from '../../content/variables/accept-variables.ts';
import { readAllowance, type Allowance } from '../../orgs/allowance.ts';
import { readSettings } from '../../orgs/settings.ts';
import type { Condition } from '../../filters/condition.ts';
import { readFilters } from '../../filters/read-filters.ts';
import { filtersOf, findSegment, type SegmentRow } from '../../filters/stored-segment.ts';
import { readLayout, type EmailLayout } from '../../senders/email-layout.ts';
import { readSender, type SenderRecord } from '../../senders/sender.ts';
import { readSmsNumber } from '../../senders/sms-number.ts';
import { findWebinar, type Webinar } from '../../webinars/record/webinar.ts';
import type { Draft } from '../draft/draft-input.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import { draftOf } from '../draft/draft-of-row.ts';
import { sendTime } from '../draft/send-time.ts';

/** All inputs of a plan at one moment. The audience is counted separately. */
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
  /** When it would go out, if known. */
  readonly sendAt: Date | undefined;
  readonly timedByWebinar: boolean;
  /** Placeholders whose source is gone. */
  readonly missing: readonly string[];
  readonly zone: string;
  readonly twoKeySending: boolean;
}

/** `asked` is the requested send time; it is ignored when the webinar sets the time. */
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
