import { useSyncExternalStore } from 'react';

/** As phone.css has it. */
const narrow = matchMedia('(max-width: 720px)');

const watch = (tell: () => void): (() => void) => {
  narrow.addEventListener('change', tell);
  return () => narrow.removeEventListener('change', tell);
};

/** Whether there is no room for the sidebar. What is not seen then, or only then, is not made. */
export const useIsPhone = (): boolean => useSyncExternalStore(watch, () => narrow.matches);
