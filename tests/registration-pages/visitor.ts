import type { TestOrg } from '../support/test-org.ts';
import { createWebinar } from '../support/webinar.ts';
import type { World } from '../support/world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** A webinar with a published page. */
export async function openPage(
  org: TestOrg,
  page: Readonly<Record<string, unknown>> = {},
  webinar: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  const { id } = await createWebinar(org, webinar);
  return changePage(org, id, page);
}

export async function changePage(org: TestOrg, webinar_id: string, page: object = {}): Promise<Json> {
  const { status, body } = await org.rest(`PUT /v1/webinars/${webinar_id}/registration-page`, page);
  if (status > 201) throw new Error(`update_registration_page answered ${status}: ${JSON.stringify(body)}`);
  return body.registration_page;
}

/** Lets time pass for the service: what it believed is asked for anew, and a form is old enough. */
export function passSeconds(world: World, seconds: number): void {
  const before = world.clock.now.bind(world.clock);
  world.clock.now = () => new Date(before().getTime() + seconds * 1000);
}

export const tokenIn = (page: string): string => /name="token"\s+value="([^"]+)"/.exec(page)?.[1] ?? '';

/** Opens the page, as a browser does before it posts, and lets three seconds pass. */
export async function openForm(world: World, url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  passSeconds(world, 3);
  return tokenIn(page);
}

export interface Posted {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Posts a form from an address of its own. */
export async function post(
  url: string,
  body: Readonly<Record<string, string>> | string,
  { from = '192.0.2.1', type = 'application/x-www-form-urlencoded' } = {},
): Promise<Posted> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': type, 'X-Forwarded-For': from },
    body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
  });
  const { status, headers } = answer;
  return { status, headers, location: headers.get('location'), text: await answer.text() };
}

let visitors = 0;
/** An address that nobody had before. */
export const newAddress = (): string => {
  visitors++;
  return `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
};
