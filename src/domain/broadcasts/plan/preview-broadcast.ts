import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { BroadcastId, PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { audienceOf } from './audience.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { countAudience } from './count-audience.ts';
import { readPlanInputs, type PlanInputs } from './plan-inputs.ts';
import { mayReadPeople, renderFor } from './render-for.ts';

export const previewBroadcast = defineOperation({
  name: 'preview_broadcast',
  title: 'Preview a broadcast as one person gets it',
  summary:
    'The whole message: the email in its layout with its plain-text twin, or the text. As the recipient whom the plan ' +
    'shows, or as a person of your choice. The unsubscribe link in it is a stand-in: each message gets its own when it ' +
    'is sent.',
  permission: 'broadcasts.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/preview'] },
  input: z.strictObject({
    broadcast_id: BroadcastId,
    person_id: PersonId.optional().describe(
      'Whose values to fill in; takes the permission people.read beside.',
    ),
  }),
  output: z.object({
    person_id: PersonId.nullable().describe(
      'null while nobody would get it, and without the permission people.read: then fallbacks stand, and examples.',
    ),
    subject: z.string().nullable(),
    message: z.string().describe('The HTML of an email, or the text.'),
    text: z.string().describe('As plain text.'),
    bytes: z.int(),
    segments: z.int().describe('How many texts it is charged as; 0 for an email.'),
  }),
  handle: async (work, { broadcast_id, person_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    if (person_id !== undefined) await requireReadable(work, person_id);
    const inputs = await readPlanInputs(work, row);
    const reader = mayReadPeople(work) ? (person_id ?? (await findRecipient(work, inputs))) : undefined;
    const rendered = await renderFor(work, inputs, reader, row.send_at ?? inputs.sendAt ?? work.now);
    if (rendered === undefined) {
      throw new Failure('no_body', 'There is nothing to preview yet: write html or message_body.');
    }
    const { subject, message, text, bytes, segments } = rendered;
    return { person_id: reader ?? null, subject, message, text, bytes, segments };
  },
});

export async function requireReadable(work: Work, person: PersonId): Promise<void> {
  if (!mayReadPeople(work)) {
    throw new Failure(
      'forbidden',
      'To choose the person, the credential needs the permission people.read. Leave person_id out to see it with fallbacks and examples.',
    );
  }
  await requirePerson(work, person);
}

async function findRecipient(work: Work, { draft, segment }: PlanInputs): Promise<PersonId | undefined> {
  const audience = audienceOf(work, draft, segment?.conditions);
  return (await countAudience(work, audience, draft.channel, [])).one;
}
