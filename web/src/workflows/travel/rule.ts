/** A moment on the rule. */
export interface Mark {
  readonly at: number;
  readonly label: string;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The rule reaches a little beyond what happens, so that its ends can be stood at. */
export function spanOf(moments: readonly number[]): Span {
  const first = Math.min(...moments);
  const last = Math.max(...moments);
  const beyond = Math.max(hourMs, (last - first) * 0.05);
  return { from: first - beyond, to: last + beyond };
}

/** How far along the rule a moment is, from 0 to 1: time is drawn to scale. */
export const shareOf = ({ from, to }: Span, at: number): number =>
  Math.min(1, Math.max(0, (at - from) / (to - from)));

/** The moment at a share of the rule, to the hour, or to the minute on a rule of a few hours. */
export function momentAtShare({ from, to }: Span, share: number): number {
  const grain = to - from > 2 * dayMs ? hourMs : 60_000;
  const at = Math.round((from + share * (to - from)) / grain) * grain;
  return Math.min(to, Math.max(from, at));
}

/** Where a key leads: a step of the way by an arrow, a day with shift, to an end by Home and End. */
export function movedBy(
  { from, to }: Span,
  moments: readonly number[],
  at: number,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): number | undefined {
  const within = (moment: number): number => Math.min(to, Math.max(from, moment));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return shiftKey ? within(at + dayMs) : (moments.find((moment) => moment > at) ?? to);
    case 'ArrowLeft':
    case 'ArrowDown':
      return shiftKey ? within(at - dayMs) : (moments.findLast((moment) => moment < at) ?? from);
    case 'PageUp':
      return within(at + hourMs);
    case 'PageDown':
      return within(at - hourMs);
    case 'Home':
      return from;
    case 'End':
      return to;
    default:
      return undefined;
  }
}

/** Marks with room for their words: of those too near to each other the earlier keeps them. */
export function withRoom(
  marks: readonly Mark[],
  span: Span,
  least: number,
): readonly (Mark & { isTold: boolean })[] {
  let free = -1;
  return marks.map((mark) => {
    const share = shareOf(span, mark.at);
    const isTold = mark.label !== '' && share >= free;
    if (isTold) free = share + least;
    return { ...mark, isTold };
  });
}
