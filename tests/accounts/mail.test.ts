import { afterAll, beforeAll, expect, test } from 'vitest';
import { measured } from '../support/measured.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { openWorld, type World } from '../support/world.ts';
import { goodPassword, moveOn, newUser, signedIn, Visitor } from './visitor.ts';

let mail: MailServer;
let world: World;
beforeAll(async () => {
  mail = await startMailServer();
  world = await openWorld({
    env: {
      SMTP_URL: `${mail.url}?tls=off`,
      SIGN_UP: 'open',
      ACCOUNT_MAIL_FROM: 'Rostrum <door@example.com>',
    },
  });
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

/** The mails to an address, once there are so many. */
async function mailsTo(email: string, count: number): Promise<MailServer['mails']> {
  await expect.poll(() => mail.mails.filter(({ to }) => to === email).length, { timeout: 5_000 }).toBe(count);
  return mail.mails.filter(({ to }) => to === email);
}

const linkIn = (body: string): string =>
  /\/link\/[\w-]+/.exec(body.replaceAll('=\r\n', '').replaceAll('=3D', '='))![0];

test('whoever signs up proves the address by a link, and has no account before', async () => {
  const visitor = new Visitor(world.url);
  const asked = await visitor.post('/sign-up', { email: 'New.Person@example.com' });
  expect([asked.status, asked.cookies]).toEqual([200, []]);
  const [letter] = await mailsTo('new.person@example.com', 1);
  const { rows } = await world.admin.query("select 1 from auth.users where email = 'new.person@example.com'");
  expect(rows).toEqual([]);
  // Mail programs look at links before people do.
  expect((await new Visitor(world.url).get(linkIn(letter!.body))).status).toBe(200);
  const chosen = await visitor.post(linkIn(letter!.body), { password: goodPassword });
  expect([chosen.status, chosen.location]).toEqual([303, '/account']);
});

test('whoever signs up with an address that has an account is answered alike, and its owner gets a link to the password', async () => {
  const { email } = await newUser(world);
  const answers = [];
  for (const address of [email, 'somebody.new@example.com']) {
    const { status, text } = await new Visitor(world.url).post('/sign-up', { email: address });
    answers.push({ status, text: text.replaceAll(address, 'ADDRESS') });
  }
  expect(answers[0]).toEqual(answers[1]);
  const [letter] = await mailsTo(email, 1);
  expect(letter!.subject).toBe('Choose a new Rostrum password');
});

test('a forgotten password is chosen anew by mail: every session ends, and the owner hears of it', async () => {
  const { email, visitor } = await newUser(world);
  const browser = new Visitor(world.url);
  await browser.post('/forgotten', { email });
  const [letter] = await mailsTo(email, 1);
  // Until the link is used nothing changes.
  expect((await visitor.get('/account')).status).toBe(200);
  expect((await browser.post(linkIn(letter!.body), { password: 'a better phrase still' })).location).toBe(
    '/account',
  );
  expect((await visitor.get('/account')).location).toBe('/sign-in');
  expect((await (await signedIn(world, email)).get('/account')).location).toBe('/sign-in');
  expect((await mailsTo(email, 2))[1]!.subject).toBe('Your Rostrum account was changed');
});

test('an address without an account gets no mail, and one with gets three an hour at most', async () => {
  const { email } = await newUser(world);
  for (let time = 0; time < 5; time++) await new Visitor(world.url).post('/forgotten', { email });
  await new Visitor(world.url).post('/forgotten', { email: 'not.there@example.com' });
  const links = await mailsTo(email, 3);
  expect(mail.mails.some(({ to }) => to === 'not.there@example.com')).toBe(false);
  // Each of them works: whoever asks in the owner's name takes nothing away.
  expect((await new Visitor(world.url).get(linkIn(links[0]!.body))).status).toBe(200);
});

test(
  'enumeration: the answer does not wait for the mail, so it takes as long where there is none to send',
  measured,
  async () => {
    const { email } = await newUser(world);
    moveOn(world, 60_000); // the mails that were asked for before count no more
    mail.thinkMs = () => 1_000;
    const began = performance.now();
    await new Visitor(world.url).post('/forgotten', { email });
    expect(performance.now() - began).toBeLessThan(500);
    await mailsTo(email, 1);
    mail.thinkMs = () => 0;
  },
);

test('one client asks for ten mails a minute at most', async () => {
  const start = new Date(Math.ceil(world.clock.now().getTime() / 60_000) * 60_000 + 60_000);
  world.clock.now = () => start;
  const answers = [];
  for (let one = 0; one < 12; one++)
    answers.push(
      (await new Visitor(world.url).post('/forgotten', { email: `one${one}@example.com` })).status,
    );
  expect(answers.slice(9)).toEqual([200, 429, 429]);
});

test('neither addresses nor links are in the log', async () => {
  const log = world.logLines.join('');
  expect(log).not.toContain('@example.com');
  const links = mail.mails.filter(({ body }) => body.includes('/link/')).map(({ body }) => linkIn(body));
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect(log).not.toContain(link);
});
