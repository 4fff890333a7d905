import type { Output } from '../call/types.ts';

export type Layout = Output<'get_email_layout'>['email_layout'];
/** As it stands in the fields: nothing is an empty text. */
export type Draft = Readonly<Record<keyof Layout, string>>;

export const draftOf = (layout: Layout): Draft =>
  Object.fromEntries(Object.entries(layout).map(([field, value]) => [field, value ?? ''])) as Draft;

export const layoutOf = (draft: Draft): Layout =>
  Object.fromEntries(Object.entries(draft).map(([field, text]) => [field, text.trim() || null])) as Layout;
