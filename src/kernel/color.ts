/** `#rrggbb`, the one way colors are written here. */
export const colorPattern = /^#[0-9a-f]{6}$/i;

/** What text needs to be read by most people: WCAG 2, level AA. */
const readable = 4.5;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (color: string): Channels => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
];

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1, the same, to 21, black on white. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

export const isReadable = (color: string, ground: string): boolean => contrast(color, ground) >= readable;

/** White or black, whichever is read better: one of them always can be. */
export const textOn = (ground: string): string =>
  contrast('#ffffff', ground) >= readable ? '#ffffff' : '#000000';

/** The color, with as much white in it as it takes to be read on a dark ground. */
export function lightenedFor(ground: string, color: string): string {
  for (let tenths = 0; tenths < 10; tenths++) {
    const mixed = mixedWithWhite(color, tenths / 10);
    if (isReadable(mixed, ground)) return mixed;
  }
  return '#ffffff';
}

const mixedWithWhite = (color: string, share: number): string =>
  `#${channelsOf(color)
    .map((channel) =>
      Math.round(channel + (255 - channel) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
