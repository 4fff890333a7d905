import type { FieldError } from '../../src/kernel/failure.ts';
import { newDraft, newWebinar } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { refusedBoth, type Fields } from '../broadcasts/draft/draft-ways.ts';
import { newConfig, setProperty } from '../broadcasts/plan/plan-support.ts';

export type Body = 'html' | 'message_body';
export const bodies = ['html', 'message_body'] as const;

/** An organization with somebody to write to, and a draft of each kind whose body is to be changed in vain. */
export interface Setting {
  readonly world: World;
  readonly org: TestOrg;
  readonly person: string;
  readonly webinar_id: string;
  readonly drafts: Readonly<Record<Body, string>>;
}

export const path = (field: string): string => `{{context.root_context.org_user.${field}}}`;
export const first = { variable: path('first_name') };
export const last = { variable: path('last_name') };
export const portal = { variable: path('custom_properties.portal') };

export async function newSetting(world: World): Promise<Setting> {
  const org = await world.newOrg();
  const webinar_id = await newWebinar(world, org);
  await newConfig(org, 'portal');
  const person = await org.person({
    email: 'ada@example.com',
    phone: '+15550001111',
    first_name: 'Ada',
    last_name: '<Byron> & co',
  });
  await setProperty(org, person, 'portal', 'https://example.com/ada?a=1&b=2');
  const text = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'As it was' };
  const drafts = {
    html: (await newDraft(org, { audience: 'everyone', html: '<p>As it was</p>' })).id,
    message_body: (await newDraft(org, text)).id,
  };
  return { world, org, person, webinar_id, drafts };
}

/** A draft with such a body, as callers send it. */
export const draftWith = (
  { webinar_id }: Setting,
  body: Body,
  source: string,
  more: Fields = {},
): Fields => ({
  ...(body === 'html' ? { audience: 'everyone' } : { channel: 'sms', audience: 'webinar', webinar_id }),
  [body]: source,
  ...more,
});

/** What is wrong with a body: the same in a new draft and in a change of one, over both faces. Nothing is written. */
export const wrongWith = (
  setting: Setting,
  body: Body,
  source: string,
  more: Fields = {},
): Promise<FieldError[]> => {
  const { world, org, drafts } = setting;
  const change = { [body]: source, ...more };
  return refusedBoth(world, org, draftWith(setting, body, source, more), drafts[body], change);
};
