import { createHmac, randomUUID } from 'node:crypto';
import type { Sent } from './back-in.ts';

// In the shapes of the providers' own examples: documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads
// and docs.aws.amazon.com/ses/latest/dg/notification-examples.html, with our message in them.

/** A permanent failure as Mailgun tells it, signed by a key. */
export function mailgunFailure(sent: Sent, key: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const token = randomUUID().replaceAll('-', '') + '50af1f8e2a9e9f1b51';
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return {
    signature: { token, timestamp, signature },
    'event-data': {
      severity: 'permanent',
      tags: ['my_tag_1', 'my_tag_2'],
      timestamp: Number(timestamp) + 0.375624,
      storage: {
        url: 'https://se.api.mailgun.net/v3/domains/sample/messages/message_key',
        key: 'message_key',
      },
      'log-level': 'error',
      event: 'failed',
      campaigns: [],
      reason: 'suppress-bounce',
      'user-variables': { my_var_1: 'Mailgun Variable #1' },
      flags: { 'is-routed': false, 'is-authenticated': true, 'is-system-test': false, 'is-test-mode': false },
      'recipient-domain': 'receiver.test',
      account: { id: '1234567890303a4bd1f33898' },
      domain: { name: 'sender.test' },
      envelope: { sender: 'bob@sender.test', transport: 'smtp', targets: sent.to },
      message: {
        headers: {
          to: `Alice <${sent.to}>`,
          'message-id': sent.messageId,
          from: 'Bob <bob@sender.test>',
          subject: 'Test permanent_fail webhook',
        },
        attachments: [],
        size: 111,
      },
      recipient: sent.to,
      id: 'G9Bn5sl1TC6nu79C8C0bwg',
      'delivery-status': {
        code: 605,
        message: '',
        'attempt-no': 1,
        description: 'Not delivering to previously bounced address',
        'session-seconds': 0.0,
      },
    },
  };
}

/** A bounce as SES tells it: the text of a notification of SNS. */
export const sesBounce = (sent: Sent): string =>
  JSON.stringify({
    notificationType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      reportingMTA: 'dns; email.example.com',
      bouncedRecipients: [
        {
          emailAddress: sent.to,
          status: '5.1.1',
          action: 'failed',
          diagnosticCode: `smtp; 550 5.1.1 <${sent.to}>... User unknown`,
        },
      ],
      bounceSubType: 'General',
      timestamp: '2016-01-27T14:59:38.237Z',
      feedbackId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000',
      remoteMtaIp: '127.0.2.0',
    },
    mail: {
      timestamp: '2016-01-27T14:59:38.237Z',
      source: 'john@sender.test',
      sourceArn: 'arn:aws:ses:us-east-1:888888888888:identity/sender.test',
      sourceIp: '127.0.3.0',
      sendingAccountId: '123456789012',
      callerIdentity: 'IAM_user_or_role_name',
      messageId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa0680-000000',
      destination: [sent.to],
      headersTruncated: false,
      headers: [
        { name: 'From', value: '"John Doe" <john@sender.test>' },
        { name: 'To', value: `"Jane Doe" <${sent.to}>` },
        { name: 'Message-ID', value: `<${sent.messageId}>` },
        { name: 'Subject', value: 'Hello' },
        { name: 'Content-Type', value: 'text/plain; charset="UTF-8"' },
      ],
      commonHeaders: {
        from: ['John Doe <john@sender.test>'],
        date: 'Wed, 27 Jan 2016 14:05:45 +0000',
        to: [`Jane Doe <${sent.to}>`],
        messageId: sent.messageId,
        subject: 'Hello',
      },
    },
  });
