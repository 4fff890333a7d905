import type { Work } from '../../../database/work.ts';
import { emptyDraft } from '../../broadcasts/draft/draft-of-row.ts';
import type { StepMessage } from '../../broadcasts/sending/mailing.ts';
import { contentChecks } from '../../broadcasts/plan/plan-checks.ts';
import { missingVariables } from '../../content/variables/accept-variables.ts';
import type { Variables } from '../../content/variables/definition.ts';
import { readLayout } from '../../senders/email-layout.ts';
import { readSenders } from '../../senders/sender.ts';
import { readSmsNumber } from '../../senders/sms-number.ts';
import type { NodeProblem } from './node-type.ts';

interface Asked {
  readonly message: StepMessage;
  /** The field that has the body. */
  readonly bodyField: string;
}

/** The field that a check of a broadcast's plan points at in a node; other checks point at the node. */
const fieldOf: Readonly<Record<string, string>> = {
  subject_missing: 'subject',
  sender_missing: 'sender_id',
  sender_domain_unverified: 'sender_id',
  variable_missing: 'variables',
};

/** What a broadcast's plan would report about each message. */
export async function findMessageProblems(
  work: Work,
  asked: readonly Asked[],
  { webinar }: { readonly webinar: boolean },
): Promise<NodeProblem[][]> {
  const senders = new Map((await readSenders(work)).map((sender) => [sender.id as string, sender]));
  const layout = await readLayout(work);
  const smsNumber = await readSmsNumber(work);
  const missing = await missingInEach(
    work,
    asked.map(({ message }) => message.variables),
    webinar,
  );
  return asked.map(({ message, bodyField }, index) => {
    const draft = { ...emptyDraft, ...message };
    const sender = senders.get(draft.sender_id ?? '');
    const checks = contentChecks({ draft, sender, layout, smsNumber, missing: missing[index] ?? [] });
    return [...checks].map(({ code, message: words }) => {
      const field = code === 'body_missing' ? bodyField : fieldOf[code];
      return { pointer: field === undefined ? '' : `/${field}`, code, message: words };
    });
  });
}

/** The variables of each message whose source is gone, with one read of the sources. */
async function missingInEach(
  work: Work,
  messages: readonly Variables[],
  webinar: boolean,
): Promise<string[][]> {
  // The beginning of a name says what it is for; the number appended here keeps the names of two messages apart.
  const all = messages.flatMap((variables, index) =>
    Object.entries(variables).map(([name, definition]) => [`${name} ${index}`, definition] as const),
  );
  const missing = new Set(await missingVariables(work, Object.fromEntries(all), { webinar }));
  return messages.map((variables, index) =>
    Object.keys(variables).filter((name) => missing.has(`${name} ${index}`)),
  );
}
