import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { OptOuts, readOptOuts } from './opt-outs.ts';

export const getOptOuts = defineOperation({
  name: 'get_opt_outs',
  title: 'Read opt-outs',
  summary: 'Whether a person opted out of marketing email and texts. Without a record both are false.',
  permission: 'people.read',
  effect: 'read',
  faces: { rest: ['GET /v1/people/:person_id/opt-outs'], tool: true },
  input: z.strictObject({ person_id: PersonId }),
  output: z.object({ opt_outs: OptOuts }),
  handle: async (work, { person_id }) => {
    await requirePerson(work, person_id);
    return { opt_outs: await readOptOuts(work, person_id) };
  },
});
