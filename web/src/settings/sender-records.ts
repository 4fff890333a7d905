import type { Output } from '../call/types.ts';

export type Sender = Output<'list_senders'>['senders'][number];
export type Sms = Output<'list_senders'>['sms'];
export type SendingDomain = Output<'list_sending_domains'>['sending_domains'][number];
