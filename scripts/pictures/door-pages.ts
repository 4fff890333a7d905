import { register, TestClient } from '../../tests/support/connection.ts';

export interface DoorPage {
  readonly name: string;
  readonly address: string;
  readonly heading: RegExp;
  /** Seen by somebody who is not signed in: whoever comes after is not, either. */
  readonly isSignedOut: boolean;
}

/** The pages before the dashboard: a tool asks to be let in, and somebody signs in. */
export async function doorPages(api: string, url: string): Promise<readonly DoorPage[]> {
  const { body } = await register(api, { client_name: 'Desk assistant' });
  const asked = new TestClient(url, body.client_id).request();
  return [
    { name: 'consent', address: `${url}/oauth/authorize?${asked}`, heading: /./, isSignedOut: false },
    { name: 'sign-in', address: `${url}/sign-in`, heading: /Sign in/, isSignedOut: true },
  ];
}
