import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { BroadcastId, PersonId } from '../../kernel/ids.ts';
import { requirePerson } from '../identifiers/require-person.ts';
import { requireBroadcast } from './broadcast-rows.ts';
import { readPlanInputs } from './plan-inputs.ts';
import { renderFor } from './render-for.ts';

export const previewBroadcast = defineOperation({
  name: 'preview_broadcast',
  title: 'Preview a broadcast as one person gets it',
  summary:
    'The whole message for a person: the email in its layout with its plain-text twin, or the text. The unsubscribe ' +
    'link in it is a stand-in: each message gets its own when it is sent.',
  permission: 'broadcasts.read',
  effect: 'read',
  cost: 'heavy',
  faces: { rest: ['POST /v1/broadcasts/:broadcast_id/preview'] },
  input: z.strictObject({ broadcast_id: BroadcastId, person_id: PersonId }),
  output: z.object({
    person_id: PersonId,
    subject: z.string().nullable(),
    message: z.string().describe('The HTML of an email, or the text.'),
    text: z.string().describe('As plain text.'),
    bytes: z.int(),
  }),
  handle: async (work, { broadcast_id, person_id }) => {
    const row = await requireBroadcast(work, broadcast_id);
    await requirePerson(work, person_id);
    const inputs = await readPlanInputs(work, row);
    const rendered = await renderFor(work, inputs, person_id, row.send_at ?? inputs.sendAt ?? work.now);
    if (rendered === undefined) {
      throw new Failure('no_body', 'There is nothing to preview yet: write html or message_body.');
    }
    const { subject, message, text, bytes } = rendered;
    return { person_id, subject, message, text, bytes };
  },
});
