import { expect, test } from 'vitest';
import { root } from '../content/paths.ts';
import { inHours, newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { reschedule } from './waiting.ts';

const world = useWorld();

/** The link as a message has it for somebody. */
async function linkFor(org: TestOrg, webinar_id: string, person_id: string): Promise<string> {
  const variables = { var_c: { variable: root('calendar_file_url') } };
  const draft = { channel: 'sms', audience: 'webinar', webinar_id, message_body: '{{var_c}}', variables };
  const { id } = await newDraft(org, draft);
  return (await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id })).body.message;
}

async function fetchFile(url: string, method = 'PUBLISH'): Promise<Record<string, string>> {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    `text/calendar; charset=utf-8; method=${method}`,
  ]);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="webinar.ics"');
  const lines = (await answer.text()).replaceAll('\r\n ', '').split('\r\n');
  return Object.fromEntries(lines.map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1)]));
}

test('VAR-020 the link in a message gives a file with the recipient’s own link', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org, { join_url: 'https://example.com/join' });
  const ann = await registerFor(org, webinar.id, { email: 'ann@example.com' });
  const ben = await registerFor(org, webinar.id, { email: 'ben@example.com' });
  await world().admin.query(
    `update registrations set join_url = 'https://example.com/join/ann' where id = $1`,
    [ann.registration_id],
  );
  const url = await linkFor(org, webinar.id, ann.org_user_id);
  expect(url).toMatch(new RegExp(`^${world().url}/c/[\\w-]+\\.ics$`));
  expect(await fetchFile(url)).toMatchObject({
    UID: `${webinar.id}@rostrum`,
    SUMMARY: 'Getting started',
    LOCATION: 'https://example.com/join/ann',
  });
  const other = await linkFor(org, webinar.id, ben.org_user_id);
  expect((await fetchFile(other))['LOCATION']).toBe('https://example.com/join');
});

test('after a reschedule the same link gives the same UID with a higher SEQUENCE, and says so when it is off', async () => {
  const org = await world().newOrg();
  const webinar = await createWebinar(org);
  const { org_user_id } = await registerFor(org, webinar.id, { email: 'ann@example.com' });
  const url = await linkFor(org, webinar.id, org_user_id);
  const before = await fetchFile(url);
  const start = inHours(96).replace(/\.\d{3}Z/, '.000Z');
  await reschedule(org, webinar.id, start);
  const after = await fetchFile(url);
  expect(after['UID']).toBe(before['UID']);
  expect(Number(after['SEQUENCE'])).toBeGreaterThan(Number(before['SEQUENCE']));
  expect(after['DTSTART']).toBe(start.replace('.000Z', 'Z').replaceAll(/[-:]/g, ''));
  await org.rest(`POST /v1/webinars/${webinar.id}/cancel`, {});
  const off = await fetchFile(url, 'CANCEL');
  expect([off['UID'], off['METHOD'], off['STATUS']]).toEqual([before['UID'], 'CANCEL', 'CANCELLED']);
  expect(Number(off['SEQUENCE'])).toBeGreaterThan(Number(after['SEQUENCE']));
});

test('a link that was changed leads nowhere, and one of a webinar that is gone says so', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const webinar = await createWebinar(org);
  const person = await org.person({ email: 'ann@example.com' });
  const url = await linkFor(org, webinar.id, person);
  const token = /\/c\/([\w-]+)\.ics$/.exec(url)![1]!;
  // Another organization's id in it, as somebody would try who has two links.
  const theirs = Buffer.from(token, 'base64url');
  theirs.write(other.id.replaceAll('-', ''), 'hex');
  const forged = `${world().url}/c/${theirs.toString('base64url')}.ics`;
  for (const wrong of [
    forged,
    url.replace('.ics', ''),
    url.replace('.ics', 'A.ics'),
    `${world().url}/c/x.ics`,
  ])
    expect([wrong, (await fetch(wrong)).status]).toEqual([wrong, 404]);
  const { rows } = await world().admin.query('select id from broadcasts where webinar_id = $1', [webinar.id]);
  for (const { id } of rows) await org.rest(`DELETE /v1/broadcasts/${id}`);
  expect((await org.rest(`DELETE /v1/webinars/${webinar.id}`)).status).toBe(200);
  expect((await fetch(url)).status).toBe(410);
});
