import type { QueryClient } from '@tanstack/react-query';

const ended = new BroadcastChannel('rostrum-session');

/** Signing out in one tab ends the others, and the back button shows nothing of what was there. */
export function watchSession(client: QueryClient, signIn: () => void): void {
  ended.addEventListener('message', () => {
    client.clear();
    signIn();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}

export async function signOut(): Promise<void> {
  await fetch('/account/sign-out', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  ended.postMessage('ended');
  location.replace('/sign-in');
}
