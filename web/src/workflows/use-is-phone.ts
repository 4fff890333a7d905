import { useSyncExternalStore } from 'react';

const query = '(max-width: 720px)';

/** Below 720 the canvas gives way to its list. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (told) => {
      const asked = matchMedia(query);
      asked.addEventListener('change', told);
      return () => asked.removeEventListener('change', told);
    },
    () => matchMedia(query).matches,
  );
