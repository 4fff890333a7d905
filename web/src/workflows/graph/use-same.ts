import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same and does what was given last, so that nobody is rendered anew for it. */
export function useSame<Args extends unknown[]>(
  act: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  const last = useRef(act);
  useLayoutEffect(() => {
    last.current = act;
  });
  return useCallback((...args: Args) => last.current?.(...args), []);
}
