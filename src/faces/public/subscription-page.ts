import type { Subscription } from '../../domain/tracking/read-subscription.ts';
import type { Page } from './page.ts';

/** Which page it is, by the end of its address: forms lead from one to the other by relative addresses. */
export type Where = { readonly token: string; readonly at: 'page' | 'back' };

/** Shown when the organization is gone, and the sender's name with it. */
const unknown: Subscription = {
  channel: 'email',
  organization: 'The sender',
  sender: null,
  isOut: true,
  mayReturn: false,
};

export const ofTest: Page = {
  title: 'This was a test',
  text: 'The sender tried out a message before sending it. Its link unsubscribes nobody.',
};

/** Nobody knows any more whose message it was, so nothing was changed: to say that it was would be a lie. */
export const tooOld: Page = {
  title: 'This link is too old',
  text: 'It is not known any more whom this message was for, so nobody was unsubscribed by it. Use the link in a newer message, or tell the sender.',
};

/** Says who sends what and whether the reader is subscribed; offers the opposite. `returned`: by this very request. */
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
