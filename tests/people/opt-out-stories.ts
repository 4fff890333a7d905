import { expect } from 'vitest';
import { committing, takeChunk, type Arranged } from '../imports/committing.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import type { World } from '../support/world.ts';
import { sendTo } from '../tracking/sent-broadcast.ts';

export type Fields = Readonly<Record<string, unknown>>;
export const [email, phone, external_user_id] = ['ann@example.com', '+4915112345678', 'customer-1'];
export const user = { external_user_id };
export const [out, texts] = [{ email_opt_out: true }, { sms_opt_out: true }];

/** What happens in the examples, in words. Each that names somebody answers who that is by then. */
const verbsOf = (world: World, org: TestOrg) => ({
  identify: (fields: Fields) => org.person(fields),
  optOut: async (person: string, flags: Fields) => {
    expect((await org.rest(`PATCH /v1/people/${person}/opt-outs`, flags)).status).toBe(200);
  },
  drop: async (person: string) => {
    expect((await org.rest(`DELETE /v1/people/${person}?drop_suppression=true`)).status).toBe(200);
  },
  register: async (fields: Fields) => {
    const { id } = await createWebinar(org);
    return (await registerFor(org, id, fields)).org_user_id;
  },
  event: async (fields: Fields) => {
    const answer = await org.rest('POST /v1/events', { events: [{ event_name: 'visited', ...fields }] });
    expect(answer.status).toBe(200);
  },
  /** A list whose rows may merge people. */
  list: async (...rows: Arranged['rows']) => {
    const id = await committing(world, org, { rows, merges: 'allow' });
    await takeChunk(world, org, id);
  },
  /** Broadcasts to people; answers how each of them unsubscribes by the link in their own message. */
  broadcast: async (...people: string[]) => {
    const { messages } = await sendTo(world, org, people);
    return people.map((one) => async () => {
      const { urls } = messages.find(({ person }) => person === one)!;
      expect((await fetch(urls.unsubscribe, { method: 'POST' })).status).toBe(200);
    });
  },
  giveUp: async (person: string, value: string) => {
    const { body } = await org.rest(`GET /v1/people/${person}/identifiers`);
    const found = body.identifiers.find((one: Fields) => one['identifier_value'] === value);
    expect((await org.rest(`DELETE /v1/people/${person}/identifiers/${found.id}`)).status).toBe(200);
  },
  change: async (person: string, value: string, to: string) => {
    const { body } = await org.rest(`GET /v1/people/${person}/identifiers`);
    const found = body.identifiers.find((one: Fields) => one['identifier_value'] === value);
    const path = `/v1/people/${person}/identifiers/${found.id}`;
    expect((await org.rest(`PATCH ${path}`, { identifier_value: to })).status).toBe(200);
  },
});
export type Verbs = ReturnType<typeof verbsOf>;

export interface Example {
  readonly story: string;
  readonly tell: (verbs: Verbs) => Promise<unknown>;
  /** Who is looked at in the end; whoever has the external id, unless told. */
  readonly who?: Fields;
  readonly ends: 'out of email' | 'out of texts' | 'out of both' | 'out of nothing';
}

export const both = { ...user, email };

/** Tells a story to an organization of its own, and answers how it ended. */
export async function endOf(
  world: World,
  { tell, who = user }: Pick<Example, 'tell' | 'who'>,
): Promise<string> {
  const org = await world.newOrg();
  await tell(verbsOf(world, org));
  const { body } = await org.tool('identify_person', who);
  expect(body.created).toBe(false);
  const { opt_outs } = (await org.tool('get_opt_outs', { person_id: body.person_id })).body;
  if (opt_outs.email_opt_out && opt_outs.sms_opt_out) return 'out of both';
  return opt_outs.email_opt_out ? 'out of email' : opt_outs.sms_opt_out ? 'out of texts' : 'out of nothing';
}
