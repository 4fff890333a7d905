import type { Keyring } from '../../../database/work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { tokensOf } from '../ledger/delivery-token.ts';

/** A link that no person sees: only a machine that follows every link follows it. */
export const trapLink = 0xffff;

/** The URLs in a message, all at the address where recipients reach this installation. */
export function publicUrls(
  keys: Pick<Keyring, 'mac'>,
  publicUrl: string,
  message: { readonly org: OrgId; readonly delivery: number },
) {
  const token = tokensOf(keys, message);
  return {
    get open() {
      return `${publicUrl}/t/o/${token('open')}`;
    },
    click: (link: number) => `${publicUrl}/t/c/${token('click', link)}`,
    get trap() {
      return this.click(trapLink);
    },
    get unsubscribe() {
      return `${publicUrl}/u/${token('unsubscribe')}`;
    },
  };
}
