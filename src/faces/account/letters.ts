import type { Letter } from '../../database/work.ts';
import type { LinkMail } from '../../domain/accounts/ask-for-link.ts';

const ignore = 'If you did not ask for this, you need not do anything.';

export function linkLetter({ to, purpose, token }: LinkMail, publicUrl: string): Letter {
  const link = `${publicUrl}/link/${token}`;
  return purpose === 'sign_up'
    ? {
        to,
        subject: 'Your Rostrum account',
        text: `Choose a password to make your account:\n\n${link}\n\nThe link works once, for 3 days. ${ignore}\n`,
      }
    : {
        to,
        subject: 'Choose a new Rostrum password',
        text: `Choose a new password here:\n\n${link}\n\nThe link works once, for an hour. Your old password stays until then. ${ignore}\n`,
      };
}

const changes = {
  password: 'Your password was changed, and you were signed out everywhere else.',
  two_steps_on: 'Signing in to your account now takes a code from your authenticator app.',
  two_steps_off: 'Signing in to your account no longer takes a code.',
  passkey_added: 'A passkey was added. It signs in to your account without password and code.',
  passkey_removed: 'A passkey was removed from your account.',
  identity_linked: 'Your account was linked to an identity provider, which can now sign you in.',
  identity_unlinked: 'Your account is no longer linked to an identity provider.',
  recovery_codes: 'Your recovery codes were replaced. The old ones no longer work.',
};

export const changeLetter = (to: string, change: keyof typeof changes, publicUrl: string): Letter => ({
  to,
  subject: 'Your Rostrum account was changed',
  text: `${changes[change]}\n\nIf that was not you, choose a new password at once: ${publicUrl}/forgotten\n`,
});
