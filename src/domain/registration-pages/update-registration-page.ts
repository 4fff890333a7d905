import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { WebinarId } from '../../kernel/ids.ts';
import { requireWebinar } from '../webinars/record/webinar.ts';
import { chooseSlug, Slug } from './choose-slug.ts';
import { PageFields, requireConfigs, usualFields } from './page-field.ts';
import { lockPage, RegistrationPage, toRegistrationPage } from './registration-page.ts';

const Origin = z
  .string()
  .max(200)
  .refine(
    (origin) => /^https?:\/\/[a-z0-9.:-]+$/.test(origin) && URL.parse(origin)?.origin === origin,
    'Must be an origin such as https://example.com: no path, no slash at the end.',
  );

export const updateRegistrationPage = defineOperation({
  name: 'update_registration_page',
  title: 'Make or change the registration page of a webinar',
  summary:
    'Publish, change or take down the page at which people register for a webinar themselves. What is not sent stays; ' +
    'a new page is published, asks for full name and email, and gets a slug of the title. With revision, refused if it ' +
    'is not the latest.',
  permission: 'webinars.write',
  effect: 'change',
  repeatable: true,
  creates: ({ created }) => created === true,
  faces: { rest: ['PUT /v1/webinars/:webinar_id/registration-page'] },
  input: z.strictObject({
    webinar_id: WebinarId,
    published: z.boolean().optional().describe('False takes the page down; what it says is kept.'),
    slug: Slug.optional().describe(
      'The last part of its address, which no other page of the installation has.',
    ),
    description: z.string().trim().max(4_000).optional().describe('Plain text; blank lines part paragraphs.'),
    fields: PageFields.optional().describe('What it asks, in order.'),
    consent_text: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .nullable()
      .optional()
      .describe('What whoever registers must agree to; null: no consent is asked for.'),
    frame_origins: z
      .array(Origin)
      .max(10)
      .optional()
      .describe('The sites that may show the page in a frame, such as https://example.com.'),
    revision: z.int().min(0).optional().describe('As it was read; 0: there was no page yet.'),
  }),
  output: z.object({ registration_page: RegistrationPage, created: z.boolean() }),
  handle: async (work, { webinar_id, slug: wanted, revision: read, ...sent }) => {
    const webinar = await requireWebinar(work, webinar_id);
    if (sent.fields !== undefined) await requireConfigs(work, sent.fields);
    const before = await lockPage(work, webinar.id);
    if (read !== undefined && read !== (before?.revision ?? 0)) throw changedMeanwhile();
    const slug =
      before !== undefined && (wanted ?? before.slug) === before.slug
        ? before.slug
        : await chooseSlug(work, webinar, wanted);
    const { published, description, fields, consent_text, frame_origins } = {
      published: true,
      description: '',
      fields: usualFields,
      consent_text: null,
      frame_origins: [],
      ...before,
      ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    };
    const values = {
      slug,
      published,
      description,
      fields: JSON.stringify(fields),
      consent_text,
      frame_origins,
      updated_at: work.now,
    };
    const row = await work.db
      .insertInto('registration_pages')
      .values({ org_id: work.org, webinar_id: webinar.id, created_at: work.now, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'webinar_id'])
          .doUpdateSet((row) => ({ ...values, revision: row('registration_pages.revision', '+', 1) }))
          // Somebody may have made the page since it was looked for.
          .where('registration_pages.revision', '<=', read ?? Number.MAX_SAFE_INTEGER),
      )
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) throw changedMeanwhile();
    work.touched['webinar_id'] = webinar.id;
    return { registration_page: toRegistrationPage(work, row), created: before === undefined };
  },
});

/** Of two who change what they both read, the second hears of it. */
const changedMeanwhile = (): Failure =>
  new Failure(
    'registration_page_changed',
    'Somebody changed the registration page since you read it. Read it again.',
  );
