import type { Keyring } from '../../database/work.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { tokenFor } from './delivery-token.ts';

/** The link a person never sees: whoever follows it is a machine that follows them all. */
export const trapLink = 0xffff;

/** Where a message of ours points to: all at the address this installation is reached at by recipients. */
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
