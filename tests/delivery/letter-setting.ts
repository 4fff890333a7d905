import { afterAll, beforeAll, expect } from 'vitest';
import { previewFor } from '../broadcasts/draft/draft-ways.ts';
import { newDraft, plan, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { startMail, type Mail } from '../support/mail.ts';
import { clockOf, moveClock, scheduleAt } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { openWorld, type World } from '../support/world.ts';
import { content, layout, readers } from './letter-content.ts';
import { receivedBy, type Received } from './received.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Wanted = (typeof readers)[number];

/** Somebody with the email that the mailbox has, and what was shown of it before. */
export interface Reader {
  readonly wanted: Wanted;
  readonly person: string;
  readonly preview: Json;
  readonly got: Received;
}

export interface Letters {
  readonly mail: Mail;
  readonly world: World;
  readonly org: TestOrg;
  readonly broadcast: string;
  /** What the plan showed. */
  readonly planned: Json;
  readonly zoe: Reader;
  readonly plain: Reader;
}

/** One broadcast to both readers, drafted, planned, previewed, scheduled, and sent to a real mailbox. */
export function useLetters(): () => Letters {
  let mail: Mail | undefined;
  let world: World | undefined;
  let letters: Letters | undefined;
  beforeAll(async () => {
    mail = await startMail();
    // Nobody answers there: what cannot be looked up takes no sender its standing.
    world = await openWorld({ engine: true, env: { SMTP_URL: mail.url, DNS_SERVERS: '127.0.0.1:9' } });
    letters = await sendLetters(mail, world);
  });
  afterAll(async () => {
    await world?.close();
    await mail?.stop();
  });
  return () => letters!;
}

async function sendLetters(mail: Mail, world: World): Promise<Letters> {
  const org = await newWritingOrg(world);
  const people = new Map<Wanted, string>();
  for (const wanted of readers) people.set(wanted, await newReader(org, wanted));
  const sender_id = await newSender(world, org, { email: 'news@acme.test', reply_to: 'answers@acme.test' });
  const id = await newInvitation(
    org,
    readers.map(({ email }) => email),
    { sender_id, ...content },
  );
  const { preview: planned } = await plan(org, id);
  const previews = new Map<Wanted, Json>();
  for (const [wanted, person] of people) previews.set(wanted, await previewFor(org, id, person));
  await send(org, id);
  const reader = async (wanted: Wanted): Promise<Reader> => ({
    wanted,
    person: people.get(wanted)!,
    preview: previews.get(wanted),
    got: await receivedBy(mail, wanted.email),
  });
  const [zoe, plain] = [await reader(readers[0]), await reader(readers[1])];
  return { mail, world, org, broadcast: id, planned, zoe, plain };
}

/** An organization with a layout and properties, whose messages to the mailbox really go out. */
export async function newWritingOrg(world: World): Promise<TestOrg> {
  const org = await world.newOrg();
  const { status } = await org.rest('PATCH /v1/settings', { test_recipients: ['@mbox.test'] });
  expect(status).toBe(200);
  await setLayout(org, layout);
  for (const key of ['tier', 'page']) {
    await org.rest('POST /v1/property-configs', { key, name: key, type: 'string' });
  }
  return org;
}

export async function newReader(org: TestOrg, wanted: Wanted, email: string = wanted.email): Promise<string> {
  const person = await org.person({
    email,
    ...('first_name' in wanted && { first_name: wanted.first_name }),
  });
  for (const [key, value] of Object.entries(wanted.properties)) {
    const { status } = await org.rest(`PUT /v1/people/${person}/properties/${key}`, { value });
    expect(status).toBe(200);
  }
  return person;
}

/** A draft to those who registered for a webinar: it goes to all of them at once. */
export async function newInvitation(
  org: TestOrg,
  emails: readonly string[],
  fields: object,
): Promise<string> {
  const { id: webinar_id } = await createWebinar(org);
  for (const email of emails) await registerFor(org, webinar_id, { email });
  return (await newDraft(org, { audience: 'webinar', webinar_id, ...fields })).id;
}

/** Schedules a draft, and makes its time come. */
export async function send(org: TestOrg, id: string, meanwhile?: () => Promise<void>): Promise<void> {
  const at = (await clockOf(org)) + 2 * 3_600_000;
  await scheduleAt(org, id, at);
  await meanwhile?.();
  await moveClock(org, at);
}
