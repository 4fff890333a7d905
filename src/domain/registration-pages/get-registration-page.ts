import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { WebinarId } from '../../kernel/ids.ts';
import { requireWebinar } from '../webinars/record/webinar.ts';
import { findPage, RegistrationPage, toRegistrationPage } from './registration-page.ts';

export const getRegistrationPage = defineOperation({
  name: 'get_registration_page',
  title: 'Get the registration page of a webinar',
  summary: 'The page at which people register for a webinar themselves; null if none was made.',
  permission: 'webinars.read',
  effect: 'read',
  faces: { rest: ['GET /v1/webinars/:webinar_id/registration-page'] },
  input: z.strictObject({ webinar_id: WebinarId }),
  output: z.object({ registration_page: RegistrationPage.nullable() }),
  handle: async (work, { webinar_id }) => {
    const { id } = await requireWebinar(work, webinar_id);
    const row = await findPage(work, id);
    return { registration_page: row === undefined ? null : toRegistrationPage(work, row) };
  },
});
