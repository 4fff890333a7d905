import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';

export const Slug = z
  .string()
  .min(3)
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Small letters, digits and single hyphens between them.');

const longestMade = 60;

export interface PageOfSlug {
  readonly org_id: string;
  readonly webinar_id: string;
}

/** Whose page an address leads to, of all organizations. */
export async function findSlug({ db }: Pick<Work, 'db'>, slug: string): Promise<PageOfSlug | undefined> {
  const { rows } = await sql<PageOfSlug>`select * from gate.find_registration_page(${slug})`.execute(db);
  return rows[0];
}

/** The slug that was wanted, or one of the title, which ends in random letters where another page has it. */
export async function chooseSlug(
  work: Work,
  webinar: { readonly id: string; readonly title: string },
  wanted: string | undefined,
): Promise<string> {
  const slug = wanted ?? made(webinar.title);
  const taken = await findSlug(work, slug);
  if (taken === undefined || (taken.org_id === work.org && taken.webinar_id === webinar.id)) return slug;
  if (wanted === undefined) return `${slug}-${randomBytes(4).toString('hex')}`;
  throw new Failure('slug_taken', `Another page has the address /w/${slug}. Choose another slug.`);
}

function made(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestMade)
    .replaceAll(/^-+|-+$/g, '');
  return words.length < 3 ? `webinar-${randomBytes(4).toString('hex')}` : words;
}
