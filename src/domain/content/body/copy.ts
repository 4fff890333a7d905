/** A text that many people get: `own` is what only this copy has, and stands between the fixed texts, which are one more. */
export interface Copy {
  /** The same list for every copy. */
  readonly fixed: readonly string[];
  readonly own: readonly string[];
}

export const wholeCopy = (text: string): Copy => ({ fixed: [text], own: [] });

export function textOfCopy({ fixed, own }: Copy): string {
  let text = fixed[0]!;
  for (const [n, one] of own.entries()) text += one + fixed[n + 1]!;
  return text;
}

/** What all copies share, and the slots between. */
export interface Cut<Slot> {
  readonly fixed: readonly string[];
  readonly slots: readonly Slot[];
}

export function cutAtSlots<Slot extends object>(pieces: readonly (string | Slot)[]): Cut<Slot> {
  const fixed = [''];
  const slots: Slot[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') fixed[fixed.length - 1] += piece;
    else {
      slots.push(piece);
      fixed.push('');
    }
  }
  return { fixed, slots };
}
