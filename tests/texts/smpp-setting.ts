import { onTestFinished } from 'vitest';
import { newId, type OrgId } from '../../src/kernel/ids.ts';
import type { HandOver, OutgoingText } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { smppProvider, type SmppOptions } from '../../src/domain/delivery/providers/smpp/send.ts';
import type { SmppReceipt, SmppText } from '../../src/domain/delivery/providers/smpp/inbound.ts';
import { startSmsc, type Smsc, type SmscOptions } from '../support/smsc.ts';

export const aText = (body: string, to = '+15559990000'): OutgoingText => ({
  org: newId(new Date()) as OrgId,
  from: '+15550001111',
  to,
  body,
  token: '',
});

export interface Client {
  send(text: OutgoingText): Promise<HandOver>;
  readonly receipts: SmppReceipt[];
  readonly texts: SmppText[];
  readonly troubles: string[];
  close(): Promise<void>;
}

/** Our side of SMPP, in a hurry to bind again, noting whatever it is told. */
export function newClient(url: string, options: Partial<SmppOptions> = {}): Client {
  const client = { receipts: [] as SmppReceipt[], texts: [] as SmppText[], troubles: [] as string[] };
  const provider = smppProvider({
    url,
    onReceipt: async ({ receipt, news }) => void client.receipts.push({ receipt, news }),
    onText: async ({ from, to, body }) => void client.texts.push({ from, to, body }),
    onTrouble: (what) => client.troubles.push(what),
    answerMs: 10_000,
    slowestRetryMs: 500,
    ...options,
  });
  onTestFinished(() => provider.close());
  return { ...client, send: (text) => provider.send(text), close: () => provider.close() };
}

export async function newSmsc(options?: SmscOptions): Promise<Smsc> {
  const smsc = await startSmsc(options);
  onTestFinished(() => smsc.stop());
  return smsc;
}
