import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { RegistrationPages } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { WebinarId } from '../../kernel/ids.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { PageFields, type PageField } from './page-field.ts';

/** The page of a webinar as callers see it. */
export const RegistrationPage = z
  .object({
    webinar_id: WebinarId,
    published: z.boolean(),
    slug: z.string(),
    url: z.string().describe('Where people register.'),
    embed_url: z.string().describe('The same for a frame on one of frame_origins.'),
    description: z.string(),
    fields: PageFields,
    consent_text: z.string().nullable().describe('What whoever registers must agree to.'),
    frame_origins: z.array(z.string()),
    revision: z.int(),
    created_at: MomentOut,
    updated_at: MomentOut,
  })
  .meta({ id: 'RegistrationPage' });

export type PageRow = Selectable<RegistrationPages>;

export const fieldsOf = ({ fields }: Pick<PageRow, 'fields'>): PageField[] => PageFields.parse(fields);

export const toRegistrationPage = (
  { mail }: Pick<Work, 'mail'>,
  row: PageRow,
): z.input<typeof RegistrationPage> => ({
  webinar_id: row.webinar_id as WebinarId,
  published: row.published,
  slug: row.slug,
  url: `${mail.publicUrl}/w/${row.slug}`,
  embed_url: `${mail.publicUrl}/w/${row.slug}/embed`,
  description: row.description,
  fields: fieldsOf(row),
  consent_text: row.consent_text,
  frame_origins: row.frame_origins,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const pageOf = ({ db, org }: Work, webinar: string) =>
  db.selectFrom('registration_pages').selectAll().where('org_id', '=', org).where('webinar_id', '=', webinar);

export const findPage = (work: Work, webinar: string): Promise<PageRow | undefined> =>
  pageOf(work, webinar).executeTakeFirst();

/** The same, so that nobody else changes it meanwhile. */
export const lockPage = (work: Work, webinar: string): Promise<PageRow | undefined> =>
  pageOf(work, webinar).forUpdate().executeTakeFirst();
