import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { EmailLayout, readLayout } from './email-layout.ts';

export const getEmailLayout = defineOperation({
  name: 'get_email_layout',
  title: 'Get the email layout',
  summary: 'The logo, company, footer and postal address that stand around the body of every email.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/email-layout'] },
  input: z.strictObject({}),
  output: z.object({ email_layout: EmailLayout }),
  handle: async (work) => ({ email_layout: await readLayout(work) }),
});
