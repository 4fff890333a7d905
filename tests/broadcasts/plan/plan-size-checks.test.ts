import { expect, test } from 'vitest';
import { newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { checkOf, patch, readyText, setNumber, warnsUntil, type Json } from './plan-support.ts';

const world = useWorld();

const clippedFrom = 95 * 1024;
const htmlOf = (body: string) => `<p>${body}</p>`;

/** The size of the whole message as the first who would get it gets it. */
async function bytesOf(org: TestOrg, id: string): Promise<number> {
  const { person_id } = (await plan(org, id)).preview;
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/preview`, { person_id });
  expect(status).toBe(200);
  expect(body.bytes).toBe(Buffer.byteLength(body.message));
  return body.bytes;
}

test.each(['x', 'é', '€', '&amp;'])(
  'PLN-037 gmail_clipping warns from 95 KB of the whole message on, counted in bytes, of %s',
  async (letter) => {
    const org = await world().newOrg();
    const { id } = await readyDraft(world(), org, { html: htmlOf('') + htmlOf('.') });
    const size = Buffer.byteLength(letter);
    const room = clippedFrom - (await bytesOf(org, id));
    const filled = (bytes: number) =>
      htmlOf(letter.repeat(Math.floor(bytes / size))) + htmlOf(`.${'y'.repeat(bytes % size)}`);
    await patch(org, id, { html: filled(room) });
    expect(await bytesOf(org, id)).toBe(clippedFrom);
    const shorter = () => patch(org, id, { html: filled(room - 1) });
    const check = await warnsUntil(org, id, 'gmail_clipping', shorter);
    expect(check).toMatchObject({ count: clippedFrom, message: expect.stringContaining('95 KB') });
    expect(await bytesOf(org, id)).toBe(clippedFrom - 1);
  },
);

test('PLN-037 gmail_clipping counts what the values of the person add', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { html: htmlOf('') + htmlOf('.') });
  const room = clippedFrom - (await bytesOf(org, id));
  const variable = '{{context.root_context.org_user.first_name}}';
  const html = htmlOf('x'.repeat(room - 4)) + htmlOf('.{{var_name}}');
  await patch(org, id, { html, variables: { var_name: { variable, fallback: 'you' } } });
  expect((await plan(org, id)).preview.body).toContain('.Rita');
  const longer = { var_name: { variable, template: '{{var}}' } };
  await warnsUntil(org, id, 'gmail_clipping', () =>
    patch(org, id, { html: html.replace('x', ''), variables: longer }),
  );
});

test('PLN-034 PLN-037 gmail_clipping is told also while nobody would get it', async () => {
  const org = await world().newOrg();
  const segment_id = await newSegment(org, [{ property: 'first_name', op: 'eq', value: 'Nobody' }]);
  const html = htmlOf('x'.repeat(clippedFrom));
  const { id } = await readyDraft(world(), org, { audience: 'segment', segment_id, html });
  expect((await plan(org, id)).preview).toBeNull();
  const short = () => patch(org, id, { html: htmlOf('x') });
  const check = await warnsUntil(org, id, 'gmail_clipping', short);
  expect(check.count).toBeGreaterThan(clippedFrom);
});

const segmentsOf = (planned: Json): number => checkOf(planned, 'sms_long')?.count ?? 1;

test.each([
  ['plain letters', 'x'.repeat(160), 1],
  ['one plain letter more', 'x'.repeat(161), 2],
  ['two texts of plain letters', 'x'.repeat(306), 2],
  ['and one more', 'x'.repeat(307), 3],
  ['signs that count twice', '€'.repeat(80), 1],
  ['one more that counts twice', '€'.repeat(81), 2],
  ['letters beyond the plain ones', 'ж'.repeat(70), 1],
  ['one more beyond', 'ж'.repeat(71), 2],
  ['one letter beyond among plain ones', `${'x'.repeat(70)}ж`, 2],
  ['an emoji, which is two units', `${'ж'.repeat(69)}😀`, 2],
])('sms_long counts the texts that one takes: %s', async (_, message_body, texts) => {
  const org = await world().newOrg();
  const { id } = await readyText(world(), org, { message_body });
  const planned = await plan(org, id);
  expect(segmentsOf(planned)).toBe(texts);
  expect(planned.ready).toBe(true);
});

test('sms_long counts the values of the person, and is gone when the text is short enough', async () => {
  const org = await world().newOrg();
  const variables = { var_name: { variable: '{{context.root_context.org_user.first_name}}' } };
  const message_body = `${'x'.repeat(157)}{{var_name}}`;
  const { id } = await readyText(world(), org, { message_body, variables });
  expect((await plan(org, id)).preview.body).toMatch(/x{157}Tess$/);
  const check = await warnsUntil(org, id, 'sms_long', () =>
    patch(org, id, { message_body: message_body.slice(1) }),
  );
  expect(check).toMatchObject({ count: 2, message: expect.stringContaining('2 texts') });
});

test('sms_long is told also while nobody would get it, with the fallback', async () => {
  const org = await world().newOrg();
  await setNumber(org);
  const variable = '{{context.root_context.org_user.first_name}}';
  const { id } = await readyText(world(), org, {
    webinar_id: await newWebinar(world(), org),
    webinar_audience: 'attended',
    message_body: '{{var_name}}',
    variables: { var_name: { variable, fallback: 'x'.repeat(161) } },
  });
  const shorter = { var_name: { variable, fallback: 'x'.repeat(160) } };
  const check = await warnsUntil(org, id, 'sms_long', () => patch(org, id, { variables: shorter }));
  expect(check.count).toBe(2);
});
