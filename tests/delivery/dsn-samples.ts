// Reports as mail servers write them, each about a message of ours. `@RETURN@` and `@ID@` stand for the return path and
// the Message-ID, `@TO@` for the recipient.

const crlf = (text: string): string => text.trimStart().replaceAll('\n', '\r\n');

const original = `Return-Path: <@RETURN@>
Received: from app.sender.test (app.sender.test [192.0.2.1]) by mx.sender.test (Postfix) with ESMTP id 4F1
Message-ID: <@ID@>
From: The News <news@sender.test>
To: @TO@
Subject: Hello
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<p>Hello there, status 4.2.2 is a fine number</p>
`;

const postfix = (status: string): string => `
Return-Path: <>
Received: by mx.sender.test (Postfix) id 4F2; Tue, 7 Jul 2026 10:00:00 +0000 (UTC)
Date: Tue, 7 Jul 2026 10:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.sender.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: @RETURN@
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4F1.1783418400/mx.sender.test"
Message-Id: <20260707100000.4F2@mx.sender.test>

This is a MIME-encapsulated message.

--4F1.1783418400/mx.sender.test
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.sender.test.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--4F1.1783418400/mx.sender.test
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.sender.test
X-Postfix-Queue-ID: 4F1
X-Postfix-Sender: rfc822; @RETURN@
Arrival-Date: Tue, 7 Jul 2026 09:59:58 +0000 (UTC)

Final-Recipient: rfc822; @TO@
Original-Recipient: rfc822;@TO@
${status}

--4F1.1783418400/mx.sender.test
Content-Description: Undelivered Message
Content-Type: message/rfc822

${original}
--4F1.1783418400/mx.sender.test--
`;

const exim = `
Return-path: <>
X-Failed-Recipients: @TO@
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.receiver.test>
To: @RETURN@
References: <@ID@>
Content-Type: multipart/report; report-type=delivery-status; boundary=1720346400-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1720346400-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  @TO@
    host mail.receiver.test [192.0.2.9]
    SMTP error from remote mail server after RCPT TO:<@TO@>:
    550 5.1.1 <@TO@>: Recipient address rejected: User unknown

--1720346400-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.receiver.test

Action: failed
Final-Recipient: rfc822;@TO@
Status: 5.0.0
Remote-MTA: dns; mail.receiver.test
Diagnostic-Code: smtp; 550 5.1.1 <@TO@>: Recipient address rejected:
 User unknown

--1720346400-eximdsn-1804289383
Content-type: message/rfc822

${original}
--1720346400-eximdsn-1804289383--
`;

const exchange = `
MIME-Version: 1.0
From: <postmaster@receiver.onmicrosoft.test>
To: <@RETURN@>
Date: Tue, 7 Jul 2026 10:00:03 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="c6d1a5a0-7d5b-4d1e-8e6f-93a3c5a3b4d2"
Content-Language: en-US
Message-ID: <0f7c8d@AM0PR01MB1234.eurprd01.prod.exchangelabs.test>
In-Reply-To: <@ID@>
References: <@ID@>
Subject: Undeliverable: Hello
Auto-Submitted: auto-replied
X-MS-Exchange-Message-Is-Ndr:

--c6d1a5a0-7d5b-4d1e-8e6f-93a3c5a3b4d2
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="b2c5b8b0-1111-2222-8e6f-93a3c5a3b4d2"

--b2c5b8b0-1111-2222-8e6f-93a3c5a3b4d2
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Delivery has failed to these recipients or groups:

--b2c5b8b0-1111-2222-8e6f-93a3c5a3b4d2
Content-Type: text/html; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

<html><body><p>Delivery has failed to these recipients or groups:</p></body></html>

--b2c5b8b0-1111-2222-8e6f-93a3c5a3b4d2--

--c6d1a5a0-7d5b-4d1e-8e6f-93a3c5a3b4d2
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.exchangelabs.test
Received-From-MTA: dns;mx.sender.test
Arrival-Date: Tue, 7 Jul 2026 10:00:01 +0000

Original-Recipient: rfc822;@TO@
Final-Recipient: rfc822;@TO@
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient @TO@ not found by SMTP address lookup

--c6d1a5a0-7d5b-4d1e-8e6f-93a3c5a3b4d2
Content-Type: message/rfc822

${original}
--c6d1a5a0-7d5b-4d1e-8e6f-93a3c5a3b4d2--
`;

const gmail = `
Return-Path: <>
To: @RETURN@
Auto-Submitted: auto-replied
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
References: <@ID@>
In-Reply-To: <@ID@>
X-Failed-Recipients: @TO@
Subject: Delivery Status Notification (Failure)
Message-ID: <668a.170a0220.3f@mx.google.com>
Date: Tue, 07 Jul 2026 03:00:04 -0700 (PDT)
Content-Type: multipart/report; boundary="000000000000b5c7"; report-type=delivery-status
MIME-Version: 1.0

--000000000000b5c7
Content-Type: multipart/related; boundary="000000000000b5d0"

--000000000000b5d0
Content-Type: text/html; charset="UTF-8"

<html><body>** Address not found **</body></html>

--000000000000b5d0
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-Transfer-Encoding: base64
Content-ID: <icon.png>

iVBORw0KGgo=
--000000000000b5d0--
--000000000000b5c7
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; news@sender.test
Arrival-Date: Tue, 07 Jul 2026 03:00:02 -0700 (PDT)
X-Original-Message-ID: <@ID@>

Final-Recipient: rfc822; @TO@
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.26, the server for the domain.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550-5.1.1 unnecessary spaces. For more information, go to
 550 5.1.1  https://support.google.com/mail/?p=NoSuchUser - gsmtp
Last-Attempt-Date: Tue, 07 Jul 2026 03:00:04 -0700 (PDT)

--000000000000b5c7
Content-Type: message/rfc822

${original}
--000000000000b5c7--
`;

const sendmail = `
Return-Path: <>
From: Mail Delivery Subsystem <MAILER-DAEMON@old.receiver.test>
To: <@RETURN@>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="i67A0p.1089194/old.receiver.test"
Subject: Returned mail: see transcript for details
Auto-Submitted: auto-generated (failure)

This is a MIME-encapsulated message

--i67A0p.1089194/old.receiver.test

The original message was received at Tue, 7 Jul 2026 10:00:00 GMT

   ----- The following addresses had permanent fatal errors -----
<@TO@>
    (reason: 550 5.7.1 Message refused)

--i67A0p.1089194/old.receiver.test
Content-Type: message/delivery-status

Reporting-MTA: dns; old.receiver.test
Received-From-MTA: DNS; mx.sender.test

FINAL-RECIPIENT: RFC822; @TO@
ACTION: Failed (and nothing more)
STATUS: 5.7.1 (delivery not authorized)
DIAGNOSTIC-CODE: SMTP; 550 5.7.1 Message refused

--i67A0p.1089194/old.receiver.test
Content-Type: text/rfc822-headers

${original.split('\n\n')[0]}

--i67A0p.1089194/old.receiver.test--
`;

const qmail = `
Return-Path: <>
From: MAILER-DAEMON@qmail.receiver.test
To: @RETURN@
Subject: failure notice

Hi. This is the qmail-send program at qmail.receiver.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<@TO@>:
192.0.2.33 does not like recipient.
Remote host said: 550 5.1.1 <@TO@>: no such mailbox
Giving up on 192.0.2.33.

--- Below this line is a copy of the message.

${original}
`;

const oldExim = `
Return-path: <>
X-Failed-Recipients: @TO@
From: Mail Delivery System <Mailer-Daemon@old.receiver.test>
To: @RETURN@
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  @TO@
    SMTP error from remote mail server after end of data:
    host mail.receiver.test [192.0.2.9]: 554 Message looks like spam

------ This is a copy of the message, including all the headers. ------

${original}
`;

const qmailSilent = `
Return-Path: <>
From: MAILER-DAEMON@qmail.receiver.test
To: @RETURN@
Subject: failure notice

Hi. This is the qmail-send program at qmail.receiver.test.
I tried to deliver a bounce message to this address, but something went wrong.

<@TO@>:
Sorry, I couldn't find any host by that name.

--- Below this line is a copy of the message.

${original}
`;

const vacation = `
From: Ada <@TO@>
To: @RETURN@
Subject: Out of office: Hello
In-Reply-To: <@ID@>
References: <@ID@>
Auto-Submitted: auto-replied
Precedence: bulk
Content-Type: text/plain

I am away. Your message could not be delivered to my desk; error: 550 5.1.1 on me.
`;

const status = (action: string, code: string, words: string): string =>
  `Action: ${action}\nStatus: ${code}\nRemote-MTA: dns; mx.receiver.test\nDiagnostic-Code: ${words}`;

export const samples = {
  postfix: crlf(postfix(status('failed', '5.1.1', 'smtp; 550 5.1.1 <@TO@>: Recipient address rejected'))),
  postfixFull: crlf(postfix(status('failed', '5.2.2', 'smtp; 552 5.2.2 mailbox full'))),
  postfixExpired: crlf(
    postfix(
      status('failed', '4.4.1', 'X-Postfix; connect to mx.receiver.test[192.0.2.9]:25: Connection timed out'),
    ),
  ),
  postfixDelayed: crlf(postfix(status('delayed', '4.2.2', 'smtp; 452 4.2.2 mailbox full, try later'))),
  postfixDelivered: crlf(postfix(status('relayed', '2.0.0', 'smtp; 250 2.0.0 OK'))),
  postfixPolicy: crlf(postfix(status('failed', '5.7.515', 'smtp; 550 5.7.515 Access denied'))),
  exim,
  exchange: crlf(exchange),
  gmail: crlf(gmail),
  sendmail: crlf(sendmail),
  qmail,
  oldExim: crlf(oldExim),
  qmailSilent,
  vacation: crlf(vacation),
} as const;

export interface About {
  readonly returnPath: string;
  readonly messageId: string;
  readonly to: string;
}

/** A sample about this message. */
export const sampleOf = (name: keyof typeof samples, { returnPath, messageId, to }: About): string =>
  samples[name]
    .trimStart()
    .replaceAll('@RETURN@', returnPath)
    .replaceAll('@ID@', messageId)
    .replaceAll('@TO@', to);
