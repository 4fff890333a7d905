import { beforeAll, describe, expect, test } from 'vitest';
import { newWebinar, setLayout } from '../support/broadcast.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import {
  auditOf,
  eventsOf,
  follow,
  newPeople,
  sendTo,
  totalsOf,
  type SentBroadcast,
  type SentMessage,
} from './sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
let reader: string;
let sent: SentBroadcast;
let message: SentMessage;

const arrange = async (fields = {}): Promise<void> => {
  [reader = ''] = await newPeople(org, 1);
  sent = await sendTo(world(), org, [reader], fields);
  message = sent.messages[0]!;
};
beforeAll(async () => {
  org = await world().newOrg();
  await setLayout(org);
  await arrange();
});

const post = (url: string, body?: string | FormData, type?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    ...(body !== undefined && { body }),
    ...(type !== undefined && { headers: { 'content-type': type } }),
  });
const optOuts = async (person: string) => (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs;

describe('looking', () => {
  test('shows a page with a button, and writes nothing', async () => {
    const before = await contentsOf(world().admin, org);
    for (const method of ['GET', 'HEAD']) {
      for (const path of ['', '?List-Unsubscribe=One-Click']) {
        const answer = await follow(message.urls.unsubscribe + path, { method });
        expect(answer.status).toBe(200);
      }
    }
    expect(await contentsOf(world().admin, org)).toEqual(before);
    const page = await (await follow(message.urls.unsubscribe)).text();
    expect(page).toMatch(/<html lang="en">[\s\S]*<title>Unsubscribe<\/title>[\s\S]*<main>\s*<h1>/);
    expect(page).toContain('<form method="post"><button type="submit">Unsubscribe</button></form>');
    expect(page).toContain('<p>Example sends you marketing emails. Press the button');
  });

  test('is safe: no script, nothing from elsewhere, no personal data, listed and kept nowhere', async () => {
    const answer = await follow(message.urls.unsubscribe);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await answer.text();
    expect(page).not.toMatch(/<script|\w@\w|https?:\/\//);
    expect(page).not.toContain(reader);
  });

  test('with a token that is not right is answered by a page', async () => {
    for (const url of [message.urls.open, message.urls.click(0), `${message.urls.unsubscribe}0`]) {
      const token = url.slice(url.lastIndexOf('/') + 1);
      for (const answer of [
        await follow(`${world().url}/u/${token}`),
        await post(`${world().url}/u/${token}`),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.headers.get('content-type')).toContain('text/html');
      }
    }
    expect(await optOuts(reader)).toEqual({ email_opt_out: false, sms_opt_out: false });
  });
});

describe('posting', () => {
  const form = 'application/x-www-form-urlencoded';
  const oneClick = (): FormData => {
    const data = new FormData();
    data.append('List-Unsubscribe', 'One-Click');
    return data;
  };

  test.each<[string, () => [(string | FormData)?, string?]]>([
    ['a mailbox provider’s one click', () => ['List-Unsubscribe=One-Click', form]],
    ['the same in parts', () => [oneClick()]],
    ['the page’s own button', () => ['', form]],
    ['nothing at all', () => []],
    ['what nobody would send', () => ['{', 'application/json']],
  ])('opts the person out of email by %s', async (_, body) => {
    await arrange();
    const answer = await post(message.urls.unsubscribe, ...body());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('location')).toBeNull();
    expect(await answer.text()).toContain('<h1>You are unsubscribed</h1>');
    expect(await optOuts(reader)).toEqual({ email_opt_out: true, sms_opt_out: false });
    expect(await totalsOf(world(), sent)).toMatchObject({ unsubscribed: 1 });
    expect(await eventsOf(world(), reader)).toMatchObject([
      { name: '$svc_unsubscribed', custom_properties: { broadcast_id: sent.id, channel: 'email' } },
    ]);
    expect((await auditOf(world(), org, 'unsubscribe')).at(-1)).toEqual({
      actor_kind: 'service',
      actor_id: 'unsubscribe',
      ids: { person_id: reader, broadcast_id: sent.id },
    });
  });

  test('twice, and many times at once, is as good as once', async () => {
    await arrange();
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(message.urls.unsubscribe)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const before = await contentsOf(world().admin, org);
    expect((await post(message.urls.unsubscribe)).status).toBe(200);
    expect(await contentsOf(world().admin, org)).toEqual(before);
    expect(await eventsOf(world(), reader)).toHaveLength(1);
    expect(await totalsOf(world(), sent)).toMatchObject({ unsubscribed: 1 });
  });

  test('after the person was opted in again opts out again', async () => {
    await arrange();
    await post(message.urls.unsubscribe);
    await org.rest(`PATCH /v1/people/${reader}/opt-outs`, { email_opt_out: false });
    await post(message.urls.unsubscribe);
    expect(await optOuts(reader)).toMatchObject({ email_opt_out: true });
    expect(await totalsOf(world(), sent)).toMatchObject({ unsubscribed: 1 });
  });

  test('by somebody who is out already is noted for the message', async () => {
    await arrange();
    await org.rest(`PATCH /v1/people/${reader}/opt-outs`, { email_opt_out: true, sms_opt_out: true });
    await post(message.urls.unsubscribe);
    expect(await optOuts(reader)).toEqual({ email_opt_out: true, sms_opt_out: true });
    expect(await totalsOf(world(), sent)).toMatchObject({ unsubscribed: 1 });
  });

  test('from a text opts out of texts', async () => {
    const webinar_id = await newWebinar(world(), org);
    const text = { channel: 'sms', html: undefined, message_body: 'Hello' };
    await arrange({ ...text, audience: 'webinar', webinar_id });
    await post(message.urls.unsubscribe);
    expect(await optOuts(reader)).toEqual({ email_opt_out: false, sms_opt_out: true });
  });

  test('after the person was deleted says done and writes nothing', async () => {
    await arrange();
    await org.rest(`DELETE /v1/people/${reader}`);
    const before = await contentsOf(world().admin, org);
    const answer = await post(message.urls.unsubscribe);
    expect([answer.status, (await answer.text()).includes('You are unsubscribed')]).toEqual([200, true]);
    expect(await contentsOf(world().admin, org)).toEqual(before);
  });

  test('after a merge opts the survivor out', async () => {
    const kept = await org.person({ email: 'kept@unsubscribe.example' });
    const folded = await org.person({ phone: '+15550109999' });
    const old = (await sendTo(world(), org, [folded])).messages[0]!;
    await org.rest('POST /v1/people/identify', { email: 'kept@unsubscribe.example', phone: '+15550109999' });
    await post(old.urls.unsubscribe);
    expect(await optOuts(kept)).toMatchObject({ email_opt_out: true });
  });

  test('waits for whoever is handing a message to that person', async () => {
    await arrange();
    const { admin } = world();
    await admin.query('begin');
    await admin.query('select 1 from people where id = $1 for key share', [reader]);
    let answered = false;
    const answer = post(message.urls.unsubscribe).then(({ status }) => {
      answered = true;
      return status;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(answered).toBe(false);
    await admin.query('commit');
    expect(await answer).toBe(200);
  });
});

test('logs and audit rows hold neither the token nor the address', async () => {
  const token = message.urls.unsubscribe.slice(message.urls.unsubscribe.lastIndexOf('/') + 1);
  const lines = world().logLines.join('\n');
  expect(lines).toContain('"operation":"unsubscribe"');
  expect(lines).not.toContain(token);
  expect(JSON.stringify(await auditOf(world(), org, 'unsubscribe'))).not.toMatch(/@|\+1555/);
});

test('a link of a message that is not kept any more says that it is too old, and not that it unsubscribed somebody', async () => {
  await arrange();
  await world().admin.query('delete from deliveries where broadcast_id = $1', [sent.id]);
  for (const answer of [await follow(message.urls.unsubscribe), await post(message.urls.unsubscribe)]) {
    expect(answer.status).toBe(410);
    const page = await answer.text();
    expect(page).toContain('<h1>This link is too old</h1>');
    expect(page).not.toContain('You are unsubscribed');
  }
  expect(await optOuts(reader)).toMatchObject({ email_opt_out: false });
});
