import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import type { Caller } from '../../kernel/caller.ts';
import { writeEvents } from '../timeline/write-events.ts';
import { registerForWebinar } from '../webinars/registrations/register-for-webinar.ts';
import type { PublicPage } from './public-page.ts';

/** The registration of the API, to which a page adds what the person agreed to. It is no operation of its own. */
export const registerByPage = defineOperation({
  ...registerForWebinar,
  input: z.strictObject({ ...registerForWebinar.input.shape, consent: z.string().nullable() }),
  handle: async (work, { consent, ...input }) => {
    const answer = await registerForWebinar.handle(work, input);
    if (consent !== null && !answer.already_registered)
      await writeEvents(work, [
        {
          person_id: answer.org_user_id,
          name: '$svc_consent_given',
          custom_properties: {
            webinar_id: input.webinar_id,
            registration_id: answer.registration_id,
            text: consent,
          },
          occurred_at: work.now,
        },
      ]);
    return answer;
  },
});

/** A page acts for its organization: it may do the one thing, and has no power that a stranger should not have. */
export const callerOfPage = (
  { org, mode, currency }: Pick<PublicPage, 'org' | 'mode' | 'currency'>,
  call: Pick<Caller, 'requestId' | 'address' | 'now'>,
): Caller => ({
  ...call,
  org,
  mode,
  currency,
  actor: { kind: 'service', id: 'registration_page' },
  permissions: new Set(['webinars.write']),
  powers: new Set(),
  face: 'public',
});
