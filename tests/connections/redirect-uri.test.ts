import { describe, expect, test } from 'vitest';
import { isListed, isRedirectUri } from '../../src/domain/connections/redirect-uri.ts';

describe('an answer may go to', () => {
  test.each([
    'https://client.example/callback',
    'https://client.example/callback?a=b%20c',
    'https://client.example:8443/callback',
    'https://client.example',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
    'http://localhost:8787/callback',
    'http://[::1]:4000/cb',
    'https://client.example/@somebody/callback',
  ])('%s', (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
    expect(isListed([uri], uri)).toBe(true);
  });
});

describe('an answer may never go to', () => {
  test.each([
    ['a fragment', 'https://client.example/callback#x'],
    ['an empty fragment', 'https://client.example/callback#'],
    ['a user', 'https://client.example@evil.example/callback'],
    ['a user and password', 'https://a:b@client.example/callback'],
    ['an empty user', 'https://@evil.example/callback'],
    ['no TLS', 'http://client.example/callback'],
    ['a name that begins as localhost', 'http://localhost.evil.example/callback'],
    ['a name that ends as localhost', 'http://evil.localhost/callback'],
    ['another form of 127.0.0.1', 'http://2130706433/callback'],
    ['a short form of 127.0.0.1', 'http://127.1/callback'],
    ['all addresses of the computer', 'http://0.0.0.0/callback'],
    ['a script', 'javascript:alert(1)'],
    ['a script behind a comment', 'javascript://client.example/%0Aalert(1)'],
    ['data', 'data:text/html,x'],
    ['a file', 'file:///etc/passwd'],
    ['an app', 'cursor://anysphere.cursor-mcp/oauth/callback'],
    ['an app of a domain', 'com.example.app:/callback'],
    ['a socket', 'wss://client.example/callback'],
    ['a host in capitals', 'https://CLIENT.example/callback'],
    ['a scheme in capitals', 'HTTPS://client.example/callback'],
    ['the usual port, said', 'https://client.example:443/callback'],
    ['a backslash', 'https://client.example\\@evil.example/callback'],
    ['dots', 'https://client.example/a/../callback'],
    ['escaped dots', 'https://client.example/a/%2e%2e/callback'],
    ['a line break', 'https://client.example/call\nback'],
    ['a tab', 'https://client.example/call\tback'],
    ['a space', ' https://client.example/callback'],
    ['letters that look alike', 'https://clіent.example/callback'],
    ['no host', 'https:///callback'],
    ['a path', '/callback'],
    ['another scheme', '//client.example/callback'],
    ['nothing', ''],
    ['too much', `https://client.example/${'a'.repeat(500)}`],
  ])('%s', (_what, uri) => {
    expect(isRedirectUri(uri)).toBe(false);
    expect(isListed([uri], uri)).toBe(false);
  });
});

const listed = ['https://client.example/callback', 'http://127.0.0.1:3000/cb', 'http://localhost/cb'];

test.each([
  ['another port', 'https://client.example:8443/callback'],
  ['another path', 'https://client.example/callback/'],
  ['a longer path', 'https://client.example/callback/more'],
  ['a query', 'https://client.example/callback?next=https://evil.example'],
  ['the path in capitals', 'https://client.example/CALLBACK'],
  ['the path escaped', 'https://client.example/%63allback'],
  ['the path escaped twice', 'https://client.example/%2563allback'],
  ['a host below', 'https://evil.client.example/callback'],
  ['a host with more behind', 'https://client.example.evil.example/callback'],
  ['no TLS', 'http://client.example/callback'],
  ['another name of the computer', 'http://localhost:3000/other'],
  ['another name with the same path', 'http://[::1]:3000/cb'],
  ['TLS on the computer', 'https://127.0.0.1:3000/cb'],
  ['a longer path on the computer', 'http://127.0.0.1:3000/cb/more'],
  ['a user on the computer', 'http://a@127.0.0.1:3000/cb'],
  ['a port that is none', 'http://127.0.0.1:99999/cb'],
])('%s is not on the list', (_what, uri) => {
  expect(isListed(listed, uri)).toBe(false);
});

test('on the own computer any port will do, and nothing else may differ', () => {
  expect(isListed(listed, 'http://127.0.0.1:59656/cb')).toBe(true);
  expect(isListed(listed, 'http://localhost:59656/cb')).toBe(true);
  expect(isListed(listed, 'http://127.0.0.1/cb')).toBe(true);
});
