import { html, type Html } from '../../../catalogue/html.ts';
import { googleCalendarUrl, outlookCalendarUrl } from '../../../domain/content/calendar/calendar-links.ts';
import { zoneName } from '../../../domain/content/variables/zone-name.ts';
import type { PublicPage } from '../../../domain/registration-pages/public-page.ts';

const written = new WeakMap<PublicPage, Html>();

/** When it is, in the zone that its messages use. Written once for a page as it was read: formats are dear to make. */
export function whenOf(page: PublicPage): Html {
  const known = written.get(page);
  if (known !== undefined) return known;
  const when = writeWhen(page);
  written.set(page, when);
  return when;
}

function writeWhen({ event, zone }: PublicPage): Html {
  const { start, minutes } = event;
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: zone });
  const text = `${day.format(start)} ${zoneName(start, zone)}`;
  return html`<p class="when">
    <time datetime="${start.toISOString()}">${text}</time>${minutes !== null && html`, ${minutesOf(minutes)}`}
  </p>`;
}

const minutesOf = (minutes: number): string =>
  minutes === 1 ? '1 minute' : `${Math.round(minutes * 100) / 100} minutes`;

/** Plain text as paragraphs. */
export const paragraphs = (text: string): Html[] =>
  text
    .split(/(?:\r\n|\r|\n)\s*(?:\r\n|\r|\n)/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${part.trim()}</p>`);

/** Ways into a calendar. They say when it is and not where: the link to join by goes to those who registered. */
export const calendarLinks = ({ event, slug }: PublicPage): Html =>
  html`<h2>Add it to your calendar</h2>
    <p class="links">
      <a class="button" href="/w/${slug}/webinar.ics">Download for any calendar</a>
      <a href="${googleCalendarUrl(event)}" target="_blank" rel="noopener noreferrer">Google Calendar</a>
      <a href="${outlookCalendarUrl(event)}" target="_blank" rel="noopener noreferrer">Outlook</a>
    </p>`;
