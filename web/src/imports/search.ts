export const steps = ['map', 'check', 'preview'] as const;
export type Step = (typeof steps)[number];
export const outcomes = ['failed', 'skipped', 'rejected'] as const;
export type Outcome = (typeof outcomes)[number];
const policies = ['block', 'skip_rows', 'allow'] as const;
export type Policy = (typeof policies)[number];

/** Where one is in an import. All of it stands in the address. */
export interface ImportSearch {
  readonly step?: Step;
  readonly merges?: Policy;
  readonly outcome?: Outcome;
  readonly offset?: number;
}

const among = <T extends string>(all: readonly T[], one: unknown): T | undefined =>
  all.find((each) => each === one);

/** Whatever else the address says is left out. */
export function readSearch({ step, merges, outcome, offset }: Record<string, unknown>): ImportSearch {
  const read = {
    step: among(steps, step),
    merges: among(policies, merges),
    outcome: among(outcomes, outcome),
    offset: Number.isSafeInteger(offset) && (offset as number) > 0 ? (offset as number) : undefined,
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
