import type { Keyring } from '../../../database/work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { tokenFor } from '../ledger/delivery-token.ts';

/** A link that no person sees: only a machine that follows every link follows it. */
export const trapLink = 0xffff;

/** The URLs in a message, all at the address where recipients reach this installation. */
export const publicUrls = (
  keys: Pick<Keyring, 'mac'>,
  publicUrl: string,
  message: { readonly org: OrgId; readonly delivery: number },
) => ({
  get open() {
    return `${publicUrl}/t/o/${tokenFor(keys, 'open', message)}`;
  },
  click: (link: number) => `${publicUrl}/t/c/${tokenFor(keys, 'click', { ...message, link })}`,
  get trap() {
    return this.click(trapLink);
  },
  get unsubscribe() {
    return `${publicUrl}/u/${tokenFor(keys, 'unsubscribe', message)}`;
  },
});
