import { useEffect } from 'react';

const kept = 'rostrum-keys';

/** Single letters can be switched off, for those who speak to their machine. */
export const areKeysOn = (): boolean => localStorage.getItem(kept) !== 'off';
export const switchKeys = (isOn: boolean): void =>
  isOn ? localStorage.removeItem(kept) : localStorage.setItem(kept, 'off');

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(SELECT|TEXTAREA)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit)$/.test(target.type)));

/** Whatever floats has the keys to itself. */
const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="menu"], dialog') !== null;

type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Keys of a page, by what `KeyboardEvent.key` says. They never fire in fields, nor while something floats above. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target) || isCovered()) return;
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined || (event.key.length === 1 && !areKeysOn())) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [keys]);
}
