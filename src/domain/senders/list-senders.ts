import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { readSenders, Sender } from './sender.ts';
import { readSmsStanding, SmsStanding } from './sms-number.ts';

export const listSenders = defineOperation({
  name: 'list_senders',
  title: 'List senders',
  summary:
    'Who broadcasts can come from: the email senders, and whether texts can be sent. Give a broadcast the id of a sender ' +
    'whose ready is true. If none is ready, tell the person which DNS record is missing: not_ready_reason says where it ' +
    'goes and what it holds. A sender that is not ready can stand on a draft, but it blocks scheduling.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/senders'], tool: true },
  input: z.strictObject({}),
  output: z.object({ senders: z.array(Sender), sms: SmsStanding }),
  handle: async (work) => ({
    senders: await readSenders(work),
    sms: await readSmsStanding(work),
  }),
});
