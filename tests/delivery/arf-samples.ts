import type { About } from './dsn-samples.ts';

const header = `Return-Path: <@RETURN@>
Received: from mx.sender.test by mx.mailbox.test; Tue, 7 Jul 2026 10:00:02 +0000
Message-ID: <@ID@>
From: The News <news@sender.test>
To: @TO@
Subject: Hello
List-Unsubscribe: <https://news.sender.test/u/zzz>`;

export interface Parts {
  readonly type?: string | undefined;
  /** What is sent along of the message: all, its header alone, or nothing. */
  readonly original?: 'message/rfc822' | 'text/rfc822-headers' | 'none';
  readonly mailFrom?: boolean;
  /** Mailbox providers take out what may name the reader. */
  readonly redacted?: boolean;
}

/** A report as feedback loops send it (RFC 5965). */
export function feedback(
  { returnPath, messageId, to }: About,
  { type = 'abuse', original = 'message/rfc822', mailFrom = true, redacted = false }: Parts = {},
): string {
  const told = redacted
    ? header.replace(/^Return-Path.*\n/, '').replace('To: @TO@', 'To: redacted@mailbox.test')
    : header;
  const sent = original === 'message/rfc822' ? `${told}\n\n<p>Hello there</p>` : told;
  return `From: <feedback@mailbox.test>
To: fbl@bounce.rostrum.test
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
\tboundary="part1_13d.2e68ed54"

--part1_13d.2e68ed54
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report for an email message received on 7 Jul 2026.

--part1_13d.2e68ed54
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
${mailFrom ? `Original-Mail-From: <@RETURN@>\n` : ''}Arrival-Date: Tue, 7 Jul 2026 10:00:02 +0000
Source-IP: 192.0.2.1

--part1_13d.2e68ed54
${original === 'none' ? 'Content-Type: text/plain\n\nNothing to see' : `Content-Type: ${original}\nContent-Disposition: inline\n\n${sent}`}

--part1_13d.2e68ed54--
`
    .replaceAll('@RETURN@', returnPath)
    .replaceAll('@ID@', messageId)
    .replaceAll('@TO@', to);
}

/** What a person sends who attaches the message, and Microsoft's loop: no report, the message alone. */
export const forwarded = ({ returnPath, messageId, to }: About): string =>
  `From: Somebody <ada@mailbox.test>
To: abuse@bounce.rostrum.test
Subject: complaint about message from 192.0.2.1
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="xx"

--xx
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: @TO@
${header}

<p>Hello there</p>

--xx--
`
    .replaceAll('@RETURN@', returnPath)
    .replaceAll('@ID@', messageId)
    .replaceAll('@TO@', to);
