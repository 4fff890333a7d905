import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** J and K go to the next and the previous row, Escape closes, / goes to the field that finds. */
export function useRowKeys(
  rows: readonly { readonly id: string }[],
  opened: string | undefined,
  open: (id: string | undefined) => void,
): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const at = rows.findIndex(({ id }) => id === opened);
      if (event.key === 'Escape' && opened !== undefined) open(undefined);
      else if (event.key === '/') document.querySelector<HTMLInputElement>('[data-find]')?.focus();
      else if (event.key === 'j') open(rows[Math.min(at + 1, rows.length - 1)]?.id ?? opened);
      else if (event.key === 'k') open(rows[Math.max(at - 1, 0)]?.id ?? opened);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [rows, opened, open]);
}
