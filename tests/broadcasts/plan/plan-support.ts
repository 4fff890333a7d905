import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createOrganization } from '../../../src/domain/orgs/create-organization.ts';
import { permissions } from '../../../src/kernel/caller.ts';
import {
  codesOf,
  inHours,
  newDraft,
  newWebinar,
  plan,
  register,
  readyDraft,
} from '../../support/broadcast.ts';
import { TestOrg } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export const minute = 60_000;
export const hour = 60 * minute;

/** A moment so many milliseconds from another, as callers send it. */
export const away = (from: Date | string, ms: number): string =>
  new Date(new Date(from).getTime() + ms).toISOString();

/** Runs something while the service's time stands still. */
export async function whileItIs<T>(
  { clock }: World,
  moment: string,
  run: (now: Date) => Promise<T>,
): Promise<T> {
  clock.now = () => new Date(moment);
  try {
    return await run(new Date(moment));
  } finally {
    clock.now = () => new Date();
  }
}

export async function newConfig(org: TestOrg, key: string, type = 'string'): Promise<string> {
  const { status, body } = await org.rest('POST /v1/property-configs', { key, name: key, type });
  expect(status).toBe(201);
  return body.property_config.id;
}

export async function setProperty(org: TestOrg, person: string, key: string, value: unknown): Promise<void> {
  expect((await org.rest(`PUT /v1/people/${person}/properties/${key}`, { value })).status).toBe(200);
}

export async function patch(org: TestOrg, id: string, fields: Fields): Promise<void> {
  const { status, body } = await org.rest(`PATCH /v1/broadcasts/${id}`, fields);
  if (status !== 200) throw new Error(`update_broadcast answered ${status}: ${JSON.stringify(body)}`);
}

export const setNumber = (org: TestOrg, number: string | null = '+15550001111'): Promise<Json> =>
  org.rest('PUT /v1/sms-number', { number });

/** A draft text that nothing keeps from being scheduled, a registrant who would get it, and their webinar. */
export async function readyText(
  world: World,
  org: TestOrg,
  fields: Fields = {},
): Promise<{ id: string; webinar: string; person: string }> {
  await setNumber(org);
  const webinar = await newWebinar(world, org);
  const phone = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
  const person = await org.person({ phone, first_name: 'Tess' });
  await register(world, org, webinar, person);
  const sms = { channel: 'sms', audience: 'webinar', webinar_id: webinar, message_body: 'Soon, or STOP' };
  const { id } = await newDraft(org, { ...sms, ...fields });
  return { id, webinar, person };
}

/** A draft email to the registrants of a webinar, and one of them. */
export async function readyInvitation(
  world: World,
  org: TestOrg,
  webinar: string,
  fields: Fields = {},
): Promise<{ id: string; person: string }> {
  const person = await org.person({ email: `guest-${randomUUID()}@example.com`, first_name: 'Gus' });
  await register(world, org, webinar, person);
  const { id } = await readyDraft(world, org, { audience: 'webinar', webinar_id: webinar, ...fields });
  return { id, person };
}

/** A live organization, whose clock is the real one. */
export async function newLiveOrg({ database, clock, url }: World): Promise<TestOrg> {
  const live = { name: 'A live organization', mode: 'live' as const };
  const made = await createOrganization(database, live, { name: 'live', permissions }, clock.now());
  return new TestOrg(url, made.org, made.keyId, made.secret);
}

export const checkOf = (planned: Json, code: string): Json =>
  planned.checks.find((check: Json) => check.code === code);

type SendAt = string | null;

/** One check blocks, and nothing else does: mended alone, the broadcast can be scheduled. */
export async function blocksUntil(
  org: TestOrg,
  id: string,
  code: string,
  mend: () => Promise<unknown>,
  [before, after]: readonly [SendAt, SendAt] = [inHours(24), inHours(24)],
): Promise<Json> {
  const broken = await plan(org, id, before);
  expect(codesOf(broken, 'error')).toEqual([code]);
  expect(broken.ready).toBe(false);
  expect(broken).not.toHaveProperty('plan_token');
  expect(checkOf(broken, code).message).toMatch(/^\S.*\.$|\?$/s);
  await mend();
  const mended = await plan(org, id, after);
  expect(mended).toMatchObject({ ready: true, plan_token: expect.any(String) });
  expect(codesOf(mended, 'error')).toEqual([]);
  return checkOf(broken, code);
}

/** One check warns without blocking, and is gone when that alone is mended; the others stay as they are. */
export async function warnsUntil(
  org: TestOrg,
  id: string,
  code: string,
  mend: () => Promise<unknown>,
  [before, after]: readonly [SendAt, SendAt] = [inHours(24), inHours(24)],
): Promise<Json> {
  const warned = await plan(org, id, before);
  expect(codesOf(warned, 'warning').filter((one) => one === code)).toEqual([code]);
  expect(warned).toMatchObject({ ready: true, plan_token: expect.any(String) });
  await mend();
  const mended = await plan(org, id, after);
  expect(codesOf(mended)).toEqual(codesOf(warned).filter((one) => one !== code));
  return checkOf(warned, code);
}
