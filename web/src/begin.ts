/*
 * Runs before the frame is here, which takes a while over a slow line, and asks for what the page will ask first. So this
 * must stay small, and the addresses must be those that the page asks; what nobody takes was asked for nothing.
 */
import { askEarly } from './call/early.ts';

const [, , org = '', section, ...rest] = location.pathname.split('/');
if (org !== '') {
  askEarly(org, 'get_me', {}, '/v1/me');
  askEarly(org, 'get_settings', {}, '/v1/settings');
  if (section === 'people' && rest.length === 0 && location.search === '')
    askEarly(org, 'list_people', { limit: 50 }, '/v1/people?limit=50');
}
