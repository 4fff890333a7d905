import { useState } from 'react';

type Theme = 'light' | 'dark';
const kept = 'rostrum-theme';

const ofSystem = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const chosen = (): Theme | undefined => {
  const theme = localStorage.getItem(kept);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
};

/** Before anything is drawn, so that nothing flashes. The system decides until somebody chooses. */
export function applyTheme(): void {
  const theme = chosen();
  if (theme === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => chosen() ?? ofSystem());
  return [
    theme,
    (next) => {
      if (next === ofSystem()) localStorage.removeItem(kept);
      else localStorage.setItem(kept, next);
      applyTheme();
      setTheme(next);
    },
  ];
}
