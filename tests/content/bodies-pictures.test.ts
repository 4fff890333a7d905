import { expect, test } from 'vitest';
import { widthsInBrowser } from './widths-in-browser.ts';
import { readyDraft, plan } from '../support/broadcast.ts';
import { useWorld } from '../support/world.ts';
import { previewFor } from '../broadcasts/draft/draft-ways.ts';

const world = useWorld();

const drawn = (width: number): string =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="400"></svg>`)}`;

/** The email, with a picture of 1600 pixels wherever it has one: a preview is what is sent. */
async function mailWith(html: string): Promise<string> {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org, { html });
  const { message } = await previewFor(org, id, (await plan(org, id)).preview.person_id);
  return message.replaceAll('https://example.com/wide.png', drawn(1_600));
}

test('BOD-003 however wide a picture is, however long a word: the email keeps to its window, on paper and on a telephone', async () => {
  const picture = 'src="https://example.com/wide.png" alt="A view"';
  const bodies = [
    `<p><img ${picture}></p>`,
    `<p><img ${picture} width="1600" height="400"></p>`,
    `<ul><li>One<ul><li><a href="https://example.com"><img ${picture}></a></li></ul></li></ul>`,
    `<p><a class="button" href="https://example.com">${'Go'.repeat(300)}</a></p>`,
    `<p>${'word'.repeat(300)}</p>`,
  ];
  const mails: string[] = [];
  for (const body of bodies) mails.push(await mailWith(body));
  expect(await widthsInBrowser(mails, [800, 390])).toEqual(bodies.map(() => [800, 390]));
});

test('BOD-003 a picture written wider than the email says so no more to readers that go by its attributes', async () => {
  const mail = await mailWith(
    '<p><img src="https://example.com/a.png" alt="" width="1600" height="400"></p>',
  );
  expect(mail).toContain('width="536" height="134"');
  const small = await mailWith('<p><img src="https://example.com/a.png" alt="" width="40" height="20"></p>');
  expect(small).toContain('width="40" height="20"');
});
