import { useMemo, useState } from 'react';

/** As many as the service changes at once. */
export const mostChosen = 200;

export interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: readonly string[], isChosen: boolean) => void;
  readonly clear: () => void;
}

/** Who is ticked, also on other pages of the same list. */
export function useChosen(): Chosen {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      ids,
      set: (some, isChosen) =>
        setIds((old) => {
          if (!isChosen) return new Set([...old].filter((id) => !some.includes(id)));
          return new Set([...old, ...some].slice(0, mostChosen));
        }),
      clear: () => setIds(new Set()),
    }),
    [ids],
  );
}
