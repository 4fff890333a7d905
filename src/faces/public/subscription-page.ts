import type { Subscription } from '../../domain/tracking/read-subscription.ts';
import type { Page } from './page.ts';

/** Where a page stands, by what its own address ends in: forms lead from one to the other without knowing more. */
export type Where = { readonly token: string; readonly at: 'page' | 'back' };

/** When the message is gone there is nobody to name. */
const unknown: Subscription = {
  channel: 'email',
  organization: 'The sender',
  sender: null,
  isOut: true,
  mayReturn: false,
};

/** Says who sends what, how it stands, and offers the other way. `returned`: by this very request. */
export function subscriptionPage(subscription: Subscription = unknown, where: Where, returned = false): Page {
  const { organization, isOut, mayReturn } = subscription;
  const kind = kindOf(subscription);
  if (!isOut) {
    const button = { label: 'Unsubscribe', ...(where.at === 'back' && { action: `../${where.token}` }) };
    return returned
      ? {
          title: 'You are subscribed again',
          text: `${organization} may send you ${kind} again.`,
          button: { ...button, quiet: true },
        }
      : {
          title: 'Unsubscribe',
          text: `${fromWhom(subscription)} sends you ${kind}. Press the button, and no more of them will be sent to you.`,
          button,
        };
  }
  const title = 'You are unsubscribed';
  const text = `${organization} will send you no more ${kind}.`;
  if (!mayReturn) return { title, text: `${text} If you want them again, tell the sender.` };
  const action = where.at === 'back' ? {} : { action: `${where.token}/back` };
  return {
    title,
    text: `${text} Was that a mistake? You can take it back.`,
    button: { label: 'Subscribe again', quiet: true, ...action },
  };
}

const kindOf = ({ channel }: Subscription): string =>
  channel === 'email' ? 'marketing emails' : 'marketing texts';

const fromWhom = ({ organization, sender }: Subscription): string =>
  sender === null || sender === organization ? organization : `${organization} (${sender})`;
