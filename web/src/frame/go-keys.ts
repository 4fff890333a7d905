import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useOrg } from '../call/use-call.ts';
import { useKeys } from './keys.ts';
import { sectionsOf } from './sections.ts';

const waitMs = 1_500;

/** The letter of each section that has one, after G. */
const letters: Readonly<Record<string, string>> = {
  Home: 'h',
  Webinars: 'w',
  Broadcasts: 'b',
  Workflows: 'f',
  People: 'p',
  Settings: 's',
};

/** The sections there are, with their letters. */
export const lettersOf = (org: string): readonly { letter: string; label: string; to: string }[] =>
  sectionsOf(org).flatMap(({ label, to }) =>
    letters[label] === undefined ? [] : [{ letter: letters[label], label, to }],
  );

/** G, and then a letter soon, goes to a section; / goes to the field that finds. */
export function useGoKeys(): void {
  const org = useOrg();
  const navigate = useNavigate();
  const [isGoing, setGoing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const begin = (): void => {
    clearTimeout(timer.current);
    setGoing(true);
    timer.current = setTimeout(() => setGoing(false), waitMs);
  };
  const places = lettersOf(org).map(({ letter, to }) => [
    letter,
    () => {
      setGoing(false);
      void navigate({ to });
    },
  ]);
  useKeys({
    g: begin,
    '/': () => document.querySelector<HTMLInputElement>('[data-find]')?.focus(),
    ...(isGoing && (Object.fromEntries(places) as Record<string, () => void>)),
  });
}
