import { html, type Html } from '../../../catalogue/html.ts';
import type { PageState, PublicPage } from '../../../domain/registration-pages/public-page.ts';
import { calendarLinks, whenOf } from './about-webinar.ts';

/** A page that takes no registrations says why, and what a visitor can do. */
const closed: Readonly<Record<Exclude<PageState, 'open'>, readonly [title: string, text: string]>> = {
  unpublished: ['This page is closed', 'Its organizer took it down. Ask them how to register.'],
  draft: ['Registration has not opened yet', 'Please come back later: the organizer still prepares it.'],
  canceled: ['This webinar was canceled', 'It does not take place, so nobody can register for it.'],
  ended: ['This webinar is over', 'It has taken place, so nobody can register for it any more.'],
  resting: ['Registration is closed for now', 'Please come back later, or ask the organizer.'],
};

export const titleOf = ({ state, event }: PublicPage): string =>
  state === 'open' ? event.title : closed[state][0];

/** Nothing of a webinar is told by a page that was taken down. */
export function closedPage(page: PublicPage & { readonly state: Exclude<PageState, 'open'> }): Html {
  const [title, text] = closed[page.state];
  return page.state === 'unpublished'
    ? html`<h1>${title}</h1>
        <p>${text}</p>`
    : html`<p class="by">${page.organization}</p>
        <h1>${title}</h1>
        <p>${text}</p>
        <h2>${page.event.title}</h2>
        ${whenOf(page)}`;
}

/** The same for everybody, whether they were registered before or not: it says what is true of both. */
export const registeredPage = (page: PublicPage): Html =>
  html`<p class="by">${page.organization}</p>
    <h1>Thank you, your registration has arrived</h1>
    <h2>${page.event.title}</h2>
    ${whenOf(page)}
    <p>
      ${page.organization} sends the link to join to the address you gave. If nothing comes, look into the
      folder for unwanted mail, or ask the organizer.
    </p>
    ${calendarLinks(page)}`;
