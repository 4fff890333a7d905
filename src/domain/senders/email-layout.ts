import { z } from 'zod';
import type { Work } from '../../database/work.ts';

export const EmailLayout = z
  .object({
    company_name: z.string().nullable(),
    logo_url: z.string().nullable(),
    logo_alt: z.string().nullable(),
    footer_text: z.string().nullable(),
    postal_address: z.string().nullable(),
    link_color: z.string().nullable(),
    button_color: z.string().nullable(),
  })
  .meta({ id: 'EmailLayout' });

const empty: z.input<typeof EmailLayout> = {
  company_name: null,
  logo_url: null,
  logo_alt: null,
  footer_text: null,
  postal_address: null,
  link_color: null,
  button_color: null,
};

/** The layout around the body of the organization's emails; every field is null until it has set one. */
export const readLayout = async (work: Work): Promise<z.input<typeof EmailLayout>> =>
  (await work.db
    .selectFrom('email_layouts')
    .select([
      'company_name',
      'logo_url',
      'logo_alt',
      'footer_text',
      'postal_address',
      'link_color',
      'button_color',
    ])
    .where('org_id', '=', work.org)
    .executeTakeFirst()) ?? empty;
