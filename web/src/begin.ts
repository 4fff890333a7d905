/*
 * Runs before the frame is here, which takes a while over a slow line, and asks for what the page will ask first. So this
 * must stay small, and the addresses must be those that the page asks; what nobody takes was asked for nothing.
 */
import { askEarly } from './call/early.ts';
import type { Output } from './call/types.ts';

const [, , org = '', section, ...rest] = location.pathname.split('/');
if (org !== '') {
  if (section === 'people' && rest.length === 0 && location.search === '') {
    const list = askEarly(org, 'list_people', { limit: 50 }, '/v1/people?limit=50');
    list.then(askBeside).catch(() => undefined); // whoever takes the list hears of it
    void askEarly(org, 'list_people_views', {}, '/v1/people-views');
  }
  void askEarly(org, 'get_me', {}, '/v1/me');
  void askEarly(org, 'get_settings', {}, '/v1/settings');
  void askEarly(org, 'get_usage', {}, '/v1/usage');
}

/** What the rows show beside each person. */
async function askBeside(answer: Response): Promise<void> {
  if (!answer.ok) return;
  const { people } = (await answer.clone().json()) as Output<'list_people'>;
  const input = { person_ids: people.map(({ id }) => id) };
  if (people.length > 0) await askEarly(org, 'list_people_engagement', input, '/v1/people/engagement', input);
}

// The first of each takes a browser long, whatever its language: better now, while the frame is awaited.
new Intl.NumberFormat('en-GB').format(0);
new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' }).format();
