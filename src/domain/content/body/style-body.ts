import { lightenedFor, textOn } from '../../../kernel/color.ts';

/** The colors of an organization's emails; null means the default. */
export interface BodyColors {
  readonly link_color: string | null;
  readonly button_color: string | null;
}

const ownColor = '#1d4ed8';
/** The background of a body in dark mode. */
export const darkCard = '#27272a';
/** How wide a body is at most: 600 pixels without the space on both sides. */
const bodyWidth = 536;

const colorsOf = ({ link_color, button_color }: BodyColors) => {
  const link = link_color ?? ownColor;
  const button = button_color ?? link;
  return { link, button, onButton: textOn(button) };
};

// We wrote these tags ourselves: < begins one and nothing else, and no quote is in the values. An <a> without href is a
// link whose value was none: it stays plain text.
const styled = /<(?:a(?=[^>]* href=")|img)(?: [a-z]+="[^"]*")*/g;

/** Adds the inline styles and attributes that mail readers need: colors on links, a width on pictures. */
export function styleBody(html: string, colors: BodyColors): string {
  const { link, button, onButton } = colorsOf(colors);
  return html.replace(styled, (tag) => {
    if (tag.startsWith('<img')) return `${narrowed(tag)} style="max-width:100%;height:auto"`;
    return tag.includes(' class="button"')
      ? `${tag} style="${buttonStyle};background:${button};color:${onButton}"`
      : `${tag} style="color:${link}"`;
  });
}

const buttonStyle =
  'display:inline-block;box-sizing:border-box;max-width:100%;padding:12px 24px;border-radius:4px;font-weight:600;' +
  'text-decoration:none';

/** Outlook knows no max-width and goes by the attributes. Their proportion is kept. */
function narrowed(tag: string): string {
  const width = Number(/ width="(\d+)"/.exec(tag)?.[1] ?? 0);
  if (width <= bodyWidth) return tag;
  return tag
    .replace(/ width="\d+"/, ` width="${bodyWidth}"`)
    .replace(
      / height="(\d+)"/,
      (_, height) => ` height="${Math.max(1, Math.round((height * bodyWidth) / width))}"`,
    );
}

/** The styles of dark mode, where links are lighter and buttons unchanged. */
export const darkLinks = (colors: BodyColors): string => {
  const { link, onButton } = colorsOf(colors);
  return `.text a{color:${lightenedFor(darkCard, link)}!important}.text a.button{color:${onButton}!important}`;
};
