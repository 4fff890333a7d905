import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { PersonId, WebinarId } from '../../../kernel/ids.ts';
import { compareIdentifiers } from '../../identifiers/compare-identifiers.ts';
import { findOrCreate, identifiersOf, lookUp } from '../../people/identify/find-or-create.ts';
import { LeftOut, tell } from '../../properties/left-out.ts';
import { setValues } from '../../properties/set-values.ts';
import { takeProperties } from '../../properties/take-properties.ts';
import { addRegistration } from './add-registration.ts';
import { takeBuiltIns } from './built-in-properties.ts';
import { fieldsOf, Registrant } from './registrant.ts';
import { requireWebinar } from '../record/webinar.ts';

export const registerForWebinar = defineOperation({
  name: 'register_for_webinar',
  title: 'Register somebody for a webinar',
  summary:
    'Register a person for a webinar. They are found by user_id, email, phone or anonymous_id, in this order, or ' +
    'created; nobody is merged. Names and properties are filled in. It starts the workflows that wait for ' +
    'registrations, which may write to the person. A repeat changes nothing.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['POST /v1/webinars/register'], tool: true },
  input: z.object({ webinar_id: WebinarId, user: Registrant }),
  output: z.object({
    success: z.boolean(),
    registration_id: z.guid(),
    org_user_id: PersonId,
    already_registered: z.boolean(),
    left_out: z.array(LeftOut).optional().describe('Properties that were not taken, if any.'),
  }),
  handle: async (work, { webinar_id: asked, user: given }) => {
    const webinar = await requireWebinar(work, asked);
    const webinar_id = webinar.id as WebinarId; // as stored, not as the caller spelled it
    const { user, leftOut: builtIn } = await takeBuiltIns(work, given);
    const sent = await compareIdentifiers(work, identifiersOf(user));
    const looked = await lookUp(work, sent);
    // Detects a repeat before writing anything: a repeat leaves the profile alone, too.
    const known = looked.person?.person_id;
    const registered = known && (await findRegistration(work, webinar_id, known));
    if (known !== undefined && registered !== undefined) return answer(registered, known, true);
    if (webinar.status === 'canceled') {
      throw new Failure('webinar_canceled', 'The webinar is canceled and takes no registrations.');
    }
    // Configs before people: a transaction that holds a person never waits for one that adds a config.
    const properties = await takeProperties(work, user.properties ?? {});
    const writesMore = Object.keys(properties.changes).length > 0;
    const person_id = await findOrCreate(work, sent, looked, { fields: fieldsOf(user), writesMore });
    await setValues(work, person_id, properties.changes);
    const { elsewhere } = looked;
    const leftOut = [...builtIn, ...properties.leftOut];
    const registration_id = await addRegistration(work, { webinar_id, person_id, elsewhere, leftOut });
    Object.assign(work.touched, { person_id, webinar_id, registration_id });
    return { ...answer(registration_id, person_id, false), ...tell(leftOut) };
  },
});

const answer = (registration_id: string, org_user_id: PersonId, already_registered: boolean) => ({
  success: true,
  registration_id,
  org_user_id,
  already_registered,
});

async function findRegistration(
  { db, org }: Work,
  webinar: WebinarId,
  person: PersonId,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('registrations')
    .select('id')
    .where('org_id', '=', org)
    .where('webinar_id', '=', webinar)
    .where('person_id', '=', person)
    .executeTakeFirst();
  return found?.id;
}
