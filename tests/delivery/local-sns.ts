import { createHash, createSign, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '../../src/faces/public/sns-certificate.ts';
import { certificateAuthority } from './certificate-authority.ts';

export const topic = 'arn:aws:sns:eu-west-1:123456789012:mail-events';
export const snsHost = 'sns.eu-west-1.amazonaws.com';
/** Where a certificate is, by a name for it here. */
export const certificateUrl = (name = 'ours'): string => `https://${snsHost}${pathOf(name)}`;
export const pathOf = (name: string): string =>
  `/SimpleNotificationService-${createHash('md5').update(name).digest('hex')}.pem`;
const issuerUrl = 'http://crt.test1.amazontrust.com/test1.cer';

type Fields = Readonly<Record<string, string | undefined>>;

/** Amazon as far as we need it: signs messages as SNS documents it, serves its certificate and takes confirmations. */
export async function startSns() {
  const amazon = certificateAuthority(issuerUrl);
  const ours = amazon.issue('sns.amazonaws.com');
  const others = amazon.issue('sns.amazonaws.com');
  const asked: string[] = [];
  const answers: Record<string, (reply: http.ServerResponse) => void> = {
    [pathOf('ours')]: (reply) => reply.end(ours.cert),
    [pathOf('others')]: (reply) => reply.end(others.cert),
    [pathOf('of another name')]: (reply) => reply.end(amazon.issue('sns.evil.test').cert),
    [pathOf('of its own')]: (reply) => reply.end(certificateAuthority(issuerUrl).root),
    [pathOf('of another authority')]: (reply) =>
      reply.end(certificateAuthority(issuerUrl).issue('sns.amazonaws.com').cert),
    [pathOf('huge')]: (reply) => reply.end(ours.cert + 'x'.repeat(100_000)),
    [pathOf('moved')]: (reply) => reply.writeHead(302, { location: pathOf('ours') }).end(),
    [pathOf('broken')]: (reply) =>
      reply.end('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
    [pathOf('away')]: (reply) => reply.writeHead(503).end(),
    '/test1.cer': (reply) => reply.end(amazon.intermediate),
    '/': (reply) => reply.end('<ConfirmSubscriptionResponse/>'),
  };
  const server = http.createServer((request, reply) => {
    asked.push(request.url!);
    const answer = answers[request.url!.split('?')[0]!];
    if (answer === undefined) reply.writeHead(404).end();
    else answer(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fetchHere: Fetch = (url, init) => {
    const { host, protocol, pathname, search } = new URL(url);
    if (url !== issuerUrl && (host !== snsHost || protocol !== 'https:'))
      throw new Error(`somebody else was asked: ${url}`);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };

  /** The fields of a message, signed; those given stand in place of the usual ones. */
  function sign(fields: Fields, algorithm = 'RSA-SHA256', key = ours.key): Fields {
    const message: Record<string, string | undefined> = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topic,
      Message: '{}',
      Timestamp: new Date().toISOString(),
      SignatureVersion: '2',
      SigningCertURL: certificateUrl(),
      ...fields,
    };
    const names =
      message['Type'] === 'Notification'
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    const text = names
      .flatMap((name) => (message[name] === undefined ? [] : [name, message[name]]))
      .join('\n');
    const Signature = createSign(algorithm).update(`${text}\n`).sign(key, 'base64');
    return { ...message, Signature };
  }

  return {
    sign,
    fetch: fetchHere,
    roots: [amazon.root],
    asked,
    othersKey: others.key,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type Sns = Awaited<ReturnType<typeof startSns>>;
