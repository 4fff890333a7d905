import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { expect, test } from 'vitest';
import { newWebinar } from '../../support/broadcast.ts';
import { ended, moveClock, useSending, scheduleEmail } from '../../support/sending.ts';
import { newReaders, newSendingOrg, registerAll } from '../../support/reader-rows.ts';
import { isLong } from '../../support/volume.ts';

const sending = useSending();
const recipients = isLong ? 10_000 : 60;
const names = ['Zoë', 'Ann.', '.', 'Наталья', 'O’Neil & <b>', 'x'.repeat(80)];
const html = `
  <p>Hello {{var_name}},</p>
  <p>.</p>
  <p>${'a long line without an end '.repeat(60)}</p>
  <p><a href="https://example.com/one?a=1&amp;b=2">one</a> and <a href="https://example.com/two">two</a></p>`;

test(`each of ${recipients} messages of a broadcast has a signature that another's program finds good`, async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, recipients, (index) => ({
    first_name: names[index % names.length]!,
  }));
  const webinar_id = await newWebinar(world, org);
  await registerAll(world, org, webinar_id, readers.values());
  const { id, sendAt } = await scheduleEmail(world, org, {
    audience: 'webinar', // goes out at once
    webinar_id,
    html,
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' } },
  });
  await moveClock(org, sendAt);
  const { status } = await ended(org, id, 600_000);
  expect(status).toBe('sent');
  expect(mail.mails.map(({ to }) => to).toSorted()).toEqual([...readers.keys()].toSorted());

  const { rows } = await world.admin.query<{ domain: string; dkim_public_key: string }>(
    'select domain, dkim_public_key from sending_domains where org_id = $1',
    [org.id],
  );
  const [{ domain, dkim_public_key }] = rows as [(typeof rows)[number]];
  const resolver = async () => [[`v=DKIM1; k=rsa; p=${dkim_public_key}`]];
  const bad: string[] = [];
  for (const { to, raw } of mail.mails) {
    const { results } = await dkimVerify(raw, { resolver });
    const found = results.map(({ status: { result }, signingDomain }) => `${result} ${signingDomain}`);
    if (found.join() !== `pass ${domain}`) bad.push(`${to}: ${found.join()}`);
  }
  expect(bad).toEqual([]);
});
