import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { colorPattern, isReadable } from '../../kernel/color.ts';
import { EmailLayout } from './email-layout.ts';

const line = (most: number) => z.string().trim().min(1).max(most).nullable().default(null);

const color = z
  .string()
  .regex(colorPattern, { error: 'Write a color as #rrggbb, such as #1d4ed8.', abort: true })
  .toLowerCase();

export const updateEmailLayout = defineOperation({
  name: 'update_email_layout',
  title: 'Replace the email layout',
  summary:
    'Set what stands around the body of every email. This is the whole layout: what is left out is cleared. Without a ' +
    'postal address no email broadcast can be scheduled.',
  permission: 'settings.write',
  effect: 'change',
  repeatable: true,
  faces: { rest: ['PUT /v1/email-layout'] },
  input: z.strictObject({
    company_name: line(200),
    logo_url: z
      .url({ protocol: /^https$/, message: 'Must be an https: address.' })
      .max(2_000)
      .nullable()
      .default(null),
    logo_alt: line(200).describe('What stands for the logo where images are off; the company when left out.'),
    footer_text: line(2_000).describe('Plain text; line breaks are kept.'),
    postal_address: line(500).describe('Where the sender can be reached by post. The law asks for it.'),
    link_color: color
      .refine(
        (value) => isReadable(value, '#ffffff'),
        'This is hard to read on white, where its contrast must be 4.5 to 1 or more. Choose a darker color.',
      )
      .nullable()
      .default(null)
      .describe('#rrggbb, dark enough to be read on white. In the dark it is lightened by itself.'),
    button_color: color
      .nullable()
      .default(null)
      .describe('#rrggbb, of links with class="button"; the color of links when left out.'),
  }),
  output: z.object({ email_layout: EmailLayout }),
  handle: async (work, layout) => {
    const row = { ...layout, updated_at: work.now };
    await work.db
      .insertInto('email_layouts')
      .values({ org_id: work.org, ...row })
      .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
      .execute();
    work.touched['org_id'] = work.org;
    return { email_layout: layout };
  },
});
