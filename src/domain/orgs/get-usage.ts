import { sql } from 'kysely';
import { z } from 'zod';
import { defineOperation, type Work } from '../../database/work.ts';
import { MomentOut, outgoing } from '../../kernel/moment.ts';
import { monthOf } from './allowance.ts';

const Usage = z
  .object({
    per_month: z.int().nullable().describe('How many messages may be sent in a month; null: no limit.'),
    used: z.int().describe('How many of this month are used.'),
    remaining: z.int().nullable().describe('How many are left of this month; null: no limit.'),
    scheduled_broadcasts: z
      .int()
      .describe(
        'How many broadcasts are scheduled for the rest of this month. Whom each goes to is worked out when it begins.',
      ),
    next_scheduled_at: MomentOut.nullable().describe('When the first of them begins.'),
  })
  .meta({ id: 'Usage' });

export const getUsage = defineOperation({
  name: 'get_usage',
  title: 'Read the usage of this month',
  summary:
    'How many emails and texts this organization has sent this calendar month (UTC), how many it may send, when that ' +
    'begins anew, and how many broadcasts are scheduled before then.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/usage'] },
  input: z.strictObject({}),
  output: z.object({
    month: z.string().describe('The calendar month in UTC, such as 2026-11.'),
    renews_at: MomentOut.describe('When the next month begins, and with it a whole allowance.'),
    email: Usage,
    sms: Usage,
  }),
  handle: async (work) => {
    const renewsAt = nextMonth(work.now);
    const rows = await readRows(work, renewsAt);
    const of = (channel: string): z.input<typeof Usage> => {
      const { per_month, used, scheduled, next_at } = rows.find((row) => row.channel === channel)!;
      return {
        per_month,
        used,
        remaining: per_month === null ? null : Math.max(0, per_month - used),
        scheduled_broadcasts: scheduled,
        next_scheduled_at: outgoing(next_at),
      };
    };
    return {
      month: work.now.toISOString().slice(0, 7),
      renews_at: renewsAt.toISOString(),
      email: of('email'),
      sms: of('sms'),
    };
  },
});

interface Row {
  readonly channel: string;
  readonly per_month: number | null;
  readonly used: number;
  readonly scheduled: number;
  readonly next_at: Date | null;
}

async function readRows({ db, org, now }: Work, renewsAt: Date): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select c.channel, a.per_month, coalesce(u.used, 0) as used, coalesce(s.scheduled, 0) as scheduled, s.next_at
    from (values ('email'), ('sms')) c(channel)
    left join allowances a on a.org_id = ${org} and a.channel = c.channel
    left join allowance_uses u on u.org_id = ${org} and u.channel = c.channel and u.month = ${monthOf(now)}
    left join (
      select channel, count(*) as scheduled, min(send_at) as next_at from broadcasts
      where org_id = ${org} and status = 'scheduled' and held_at is null and send_at < ${renewsAt} group by channel
    ) s on s.channel = c.channel`.execute(db);
  return rows;
}

const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));
