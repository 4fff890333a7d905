import { useKeys } from '../frame/keys.ts';
import type { Chosen } from './use-chosen.ts';

/** J and K or the arrows go from row to row, Enter opens, X chooses, Escape closes or clears. */
export function useRowKeys(
  rows: readonly { readonly id: string }[],
  opened: string | undefined,
  chosen: Chosen,
  open: (id: string | undefined) => void,
): void {
  const focused = (): string | undefined =>
    document.activeElement instanceof HTMLElement
      ? document.activeElement.closest('tr')?.querySelector<HTMLElement>('[data-row]')?.dataset.row
      : undefined;
  const go = (step: 1 | -1): void => {
    const from = rows.findIndex(({ id }) => id === (focused() ?? opened));
    const next = rows[from === -1 ? 0 : Math.min(Math.max(from + step, 0), rows.length - 1)]?.id;
    if (next === undefined) return;
    document.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus();
    if (opened !== undefined) open(next);
  };
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    x: () => {
      const id = focused() ?? opened;
      if (id !== undefined) chosen.set([id], !chosen.ids.has(id));
    },
    ...((opened !== undefined || chosen.ids.size > 0) && {
      Escape: () => (opened === undefined ? chosen.clear() : open(undefined)),
    }),
  });
}
