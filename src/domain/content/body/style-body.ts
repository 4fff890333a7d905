import { lightenedFor, textOn } from '../../../kernel/color.ts';
import type { TrackedPiece, TrackedPieces } from './body.ts';

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

/** The same for a body that is not rendered yet. A link whose value is none takes its style with it. */
export function stylePieces(pieces: TrackedPieces, colors: BodyColors): TrackedPieces {
  const styled: TrackedPiece[] = [];
  let rest: string | undefined; // of the text after a link
  for (const [n, piece] of pieces.entries()) {
    if (typeof piece === 'string') styled.push(styleBody(rest ?? piece, colors));
    else if ('text' in piece) styled.push(piece);
    else {
      // A link stands in a tag, so there is text before and after it.
      const [before, after] = [pieces[n - 1] as string, pieces[n + 1] as string];
      const end = after.indexOf('>');
      const tag = `${before.slice(before.lastIndexOf('<'))} href=""${after.slice(0, end)}`;
      const style = styleBody(tag, colors).slice(tag.length);
      if ('link' in piece) styled.push({ ...piece, rest: after.slice(0, end), style });
      else styled.push(piece, after.slice(0, end) + style);
      rest = after.slice(end);
      continue;
    }
    rest = undefined;
  }
  return styled;
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
