import { describe, expect, test } from 'vitest';
import { previewFor } from '../broadcasts/draft/draft-ways.ts';
import { root } from '../content/paths.ts';
import { newDraft, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { advanceClock, ended } from '../support/sending.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { follow } from '../tracking/sent-broadcast.ts';
import { content, layout, pageAround, readers, styled, textAround } from './letter-content.ts';
import { newInvitation, newReader, newWritingOrg, send, useLetters, type Reader } from './letter-setting.ts';
import { addressesIn, addressesInText, asShown, ownAddressesOf, receivedBy } from './received.ts';

const letters = useLetters();

const standInOf = (preview: { message: string }): string => ownAddressesOf(preview.message).unsubscribe!;

/** All parts are there, each after the one before. */
function expectInOrder(html: string, parts: readonly string[]): void {
  let rest = html;
  for (const part of parts) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

const isOptedOut = async (org: TestOrg, person: string): Promise<boolean> =>
  (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs.email_opt_out;

describe.each([
  ['whose every value is known', () => letters().zoe],
  ['of whom nothing is known', () => letters().plain],
])('somebody %s', (_, reader) => {
  test('BOD-003 gets what the preview shows, byte for byte, but for the addresses that are their own', async () => {
    const { world } = letters();
    const { got, preview } = reader();
    const shown = await asShown(got, world.url, standInOf(preview));
    expect(shown.html).toBe(preview.message);
    expect(shown.text).toBe(preview.text);
    expect(got.subject).toBe(preview.subject);
  });

  test('BOD-003 BRD-033 gets the body with their values, the preview text and the whole layout around it', async () => {
    const { world } = letters();
    const { got, wanted } = reader();
    const { unsubscribe } = ownAddressesOf(got.html);
    const { html } = await asShown(got, world.url, unsubscribe!);
    expectInOrder(html, pageAround(wanted.html));
    expect(got.text).toBe(textAround(wanted.text, unsubscribe!));
    expect(got.subject).toBe(content.subject);
  });

  test('BOD-003 finds every link and picture tracked that is to be, and no other', () => {
    const { url } = letters().world;
    const { got, wanted } = reader();
    const { trap, picture, unsubscribe } = ownAddressesOf(got.html);
    const click = expect.stringMatching(new RegExp(`^${url}/t/c/[0-9a-z]+$`));
    expect(addressesIn(got.html, 'href')).toEqual([
      click,
      click,
      'mailto:help@example.com',
      click,
      expect.stringMatching(new RegExp(`^${url}/u/[0-9a-z]+$`)),
      click,
    ]);
    expect(addressesIn(got.html, 'href').slice(-2)).toEqual([unsubscribe, trap]);
    expect(addressesIn(got.html, 'src')).toEqual([
      layout.logo_url,
      'https://example.com/cat.png?x=1&y=2',
      expect.stringMatching(new RegExp(`^${url}/t/o/[0-9a-z]+$`)),
    ]);
    expect(addressesIn(got.html, 'src').at(-1)).toBe(picture);
    expect(addressesInText(got.text)).toEqual([...wanted.links, unsubscribe]);
  });

  test('gets it from the sender, with a way to answer and to be written to no more by one click', () => {
    const { got, wanted } = reader();
    expect(got).toMatchObject({
      from: { name: 'The News', address: 'news@acme.test' },
      replyTo: [{ address: 'answers@acme.test' }],
      to: [{ address: wanted.email }],
      messageId: expect.stringMatching(/^<[0-9a-z]{59}@acme\.test>$/),
    });
    expect(got.header('list-unsubscribe')).toBe(`<${ownAddressesOf(got.html).unsubscribe}>`);
    expect(got.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });
});

test('no link or picture of one email is in another', () => {
  const { world, zoe, plain } = letters();
  const ours = ({ got }: Reader): string[] =>
    [...addressesIn(got.html, 'href'), ...addressesIn(got.html, 'src'), ...addressesInText(got.text)].filter(
      (address) => address.startsWith(world.url),
    );
  expect(ours(zoe)).toHaveLength(7);
  expect(ours(zoe).filter((address) => ours(plain).includes(address))).toEqual([]);
  expect(zoe.got.messageId).not.toBe(plain.got.messageId);
});

test('the plan showed the body of one of them', () => {
  const { planned, zoe, plain } = letters();
  const shown = [zoe, plain].find(({ person }) => person === planned.person_id);
  expect(planned).toEqual({ person_id: shown?.person, subject: content.subject, body: shown?.wanted.html });
});

test('BOD-003 the stored html does not hold the layout once it is sent', async () => {
  const { org, broadcast } = letters();
  expect(await ended(org, broadcast)).toMatchObject({ status: 'sent', html: content.html });
});

describe('following the links', () => {
  // So far apart that they are not taken for a machine's.
  const later = (): Promise<void> => advanceClock(letters().org, 20);
  const read = async (path: string) => (await letters().org.rest(`GET /v1/${path}`)).body;
  const totals = async () => (await read(`broadcasts/${letters().broadcast}/stats`)).totals;

  test('each leads where the body says, and the reader has opened and clicked', async () => {
    const { world, org, broadcast, zoe, plain } = letters();
    const { trap, picture, unsubscribe } = ownAddressesOf(zoe.got.html);
    await ended(org, broadcast);
    await later();
    const pixel = await follow(picture!);
    expect([pixel.status, pixel.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const clicks = addressesIn(zoe.got.html, 'href').filter((url) => url.startsWith(`${world.url}/t/c/`));
    expect(clicks.pop()).toBe(trap);
    const arrived: unknown[] = [];
    for (const url of clicks) {
      await later();
      const { status, headers } = await follow(url);
      arrived.push([status, headers.get('location')]);
    }
    expect(arrived).toEqual(zoe.wanted.links.map((link) => [302, link]));
    await later();
    await expect.poll(totals, { timeout: 30_000 }).toMatchObject({ sent: 2, opened: 1, clicked: 1 });
    const moments = async ({ person }: Reader) => {
      const { last_opened_at, last_clicked_at } = (await read(`people/${person}`)).person;
      return [last_opened_at, last_clicked_at];
    };
    expect(await moments(zoe)).toEqual([expect.any(String), expect.any(String)]);
    expect(await moments(plain)).toEqual([null, null]);

    const page = await follow(unsubscribe!);
    expect([page.status, (await page.text()).includes('<form method="post">')]).toEqual([200, true]);
    expect(await isOptedOut(org, zoe.person)).toBe(false);
  });

  test('the hidden link leads to a page, and what is fetched with it counts as a machine’s', async () => {
    const { world, org, plain } = letters();
    const { trap, picture } = ownAddressesOf(plain.got.html);
    await later();
    const before = await totals();
    const [caught] = await Promise.all([follow(trap!), follow(picture!)]);
    expect([caught.status, caught.headers.get('location')]).toEqual([200, null]);
    await later();
    const unjudged = async () => {
      const counted = 'select count(*)::int as n from tracking_hits where org_id = $1 and verdict is null';
      return (await world.admin.query(counted, [org.id])).rows[0].n;
    };
    await expect.poll(unjudged, { timeout: 30_000 }).toBe(0);
    expect(await totals()).toEqual(before);
  });

  test('one click by the header opts out the reader and nobody else', async () => {
    const { org, zoe, plain } = letters();
    const optedOut = async () => [await isOptedOut(org, plain.person), await isOptedOut(org, zoe.person)];
    const click = async ({ got }: Reader) => {
      const [, url = ''] = /^<(.+)>$/.exec(got.header('list-unsubscribe')!)!;
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    };
    await click(plain);
    expect(await optedOut()).toEqual([true, false]);
    await click(zoe);
    expect(await optedOut()).toEqual([true, true]);
    expect(await totals()).toMatchObject({ unsubscribed: 2 });
  });
});

test('BOD-003 BRD-033 an email without preview text has none, and its layout is that of the moment it is sent', async () => {
  const { world, mail } = letters();
  const other = await newWritingOrg(world);
  const address = 'ok-moment@mbox.test';
  const person = await newReader(other, readers[1], address);
  const { preview_text: _, ...fields } = content;
  const sender_id = await newSender(world, other);
  const id = await newInvitation(other, [address], { sender_id, ...fields });
  await send(other, id, () => setLayout(other, { ...layout, logo_url: null, company_name: 'Meat & Sons' }));
  const preview = await previewFor(other, id, person);
  const got = await receivedBy(mail, address);
  const shown = await asShown(got, world.url, standInOf(preview));
  expect(shown).toEqual({ html: preview.message, text: preview.text });
  expect(shown.html).not.toContain('<div');
  expect(shown.html).toContain(`${styled(readers[1].html)}\n`);
  for (const part of [got.html, got.text]) expect(part).not.toContain('Fish');
  expect(got.html).toContain('<p style="margin:0 0 8px">Meat &amp; Sons</p>');
  expect(got.text).toContain('\n---\n\nMeat & Sons\n\n1 Main Street, <Springfield>\n\n');
});

test('BOD-003 BRD-033 what a workflow sends is what a broadcast of the same would be', async () => {
  const { world, mail } = letters();
  const own = await newWritingOrg(world);
  const address = 'ok-workflow@mbox.test';
  const person = await newReader(own, readers[0], address);
  const webinar = await createWebinar(own, { title: 'Beans & more' });
  const sender_id = await newSender(world, own, { email: 'hosts@acme.test' });
  const message = {
    ...content,
    html: `${content.html}<p>{{var_title}}</p>`,
    variables: { ...content.variables, var_title: { variable: root('webinar_title') } },
    sender_id,
  };
  const node = { id: 'welcome', type: 'send_email', ...message };
  await liveWorkflow(own, inLine(onRegistration(webinar.id), node));
  const { id } = await newDraft(own, { audience: 'webinar', webinar_id: webinar.id, ...message });
  const preview = await previewFor(own, id, person);
  await registerFor(own, webinar.id, { email: address });

  const got = await receivedBy(mail, address);
  const { trap, picture, unsubscribe } = ownAddressesOf(got.html);
  const shown = await asShown(got, world.url, standInOf(preview));
  expect({ ...shown, subject: got.subject }).toEqual({
    html: preview.message,
    text: preview.text,
    subject: preview.subject,
  });
  const body = `${readers[0].html}<p>Beans &amp; more</p>`;
  expectInOrder(shown.html, pageAround(body));
  expect(got.text).toBe(textAround(`${readers[0].text}\n\nBeans & more`, unsubscribe!));
  expect(got.header('list-unsubscribe')).toBe(`<${unsubscribe}>`);
  expect((await follow(picture!)).headers.get('content-type')).toBe('image/gif');
  expect((await follow(trap!)).status).toBe(200);
  expect((await fetch(unsubscribe!, { method: 'POST' })).status).toBe(200);
  expect(await isOptedOut(own, person)).toBe(true);
});
