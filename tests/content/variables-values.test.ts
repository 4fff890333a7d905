import { beforeAll, describe, expect, test } from 'vitest';
import { engagementOf } from '../support/engagement.ts';
import { custom, user } from './paths.ts';
import { define, useReading } from './reading.ts';

const here = useReading();
let ada: string;
let bare: string;

beforeAll(async () => {
  [ada = '', bare = ''] = await here().newPeople(
    {
      first_name: 'aDA',
      last_name: 'VAN DER BERG',
      primary_email: 'ada@example.com',
      primary_phone: '+15550100123',
      external_user_id: 'user-1001',
      subscription_status: 'active',
      payment_processor: 'processor_a',
      mrr: 4999,
      ltv: 120_000,
      first_payment_date: '2025-01-01T00:00:00Z',
      next_payment_date: '2026-02-01T12:00:00Z',
      cancels_at: '2026-03-01T00:00:00Z',
      engagement: engagementOf(72, new Date('2026-01-15T14:30:00.000Z')),
      health_band: 'healthy',
      last_opened_at: '2026-01-15T14:25:00Z',
      last_clicked_at: '2026-01-14T14:30:00Z',
      last_replied_at: '2026-01-01T14:30:00Z',
    },
    {},
  );
  const values = { plan: '{{var_plan}} & $&', Renewal: '2026-01-15', seats: 7, vip: false };
  for (const [key, value] of Object.entries(values)) {
    await here().org.rest(`PUT /v1/people/${ada}/properties/${key}`, { value });
  }
});

const expected = {
  first_name: 'aDA',
  last_name: 'VAN DER BERG',
  full_name: 'aDA VAN DER BERG',
  primary_email: 'ada@example.com',
  primary_phone: '+15550100123',
  external_user_id: 'user-1001',
  subscription_status: 'active',
  payment_processor: 'processor_a',
  mrr: '49.99',
  ltv: '1200',
  first_payment_date: '2025-01-01T00:00:00.000Z',
  next_payment_date: '2026-02-01T12:00:00.000Z',
  cancels_at: '2026-03-01T00:00:00.000Z',
  email_engagement_score: '72',
  health_band: 'healthy',
  last_opened_at: '2026-01-15T14:25:00.000Z',
  last_clicked_at: '2026-01-14T14:30:00.000Z',
  last_replied_at: '2026-01-01T14:30:00.000Z',
  created_at: '2024-05-06T07:08:09.010Z',
};

describe('the recipient', () => {
  const everything = Object.fromEntries(
    Object.keys(expected).map((field) => [`var_${field}`, define(user(field))]),
  );

  test('VAR-002 VAR-015 every field of the recipient is read by its path, in one query', async () => {
    const { rows, queries } = await here().read([ada], everything);
    expect(rows).toEqual([
      Object.fromEntries(Object.entries(expected).map(([name, text]) => [`var_${name}`, text])),
    ]);
    expect(queries).toBe(1);
  });

  test('VAR-005 VAR-006 a field without a value gives the fallback, or nothing', async () => {
    const { rows } = await here().read([bare], everything);
    const filled = Object.entries(rows[0]!).filter(([, text]) => text !== 'NONE');
    expect(Object.fromEntries(filled)).toEqual({
      var_mrr: '0',
      var_ltv: '0',
      var_created_at: '2024-05-06T07:08:09.010Z',
    });
    const none = await here().read([bare], {
      var_x: define(user('first_name'), { fallback: '', template: 'Dear {{var}}' }),
    });
    expect(none.rows).toEqual([{ var_x: '' }]);
  });

  test('VAR-002 money is in major units of the organization’s currency', async () => {
    const { rows } = await here().read([ada], { var_x: define(user('mrr')) }, { currency: 'JPY' });
    expect(rows).toEqual([{ var_x: '4999' }]);
  });

  test('VAR-013 names are repaired part by part', async () => {
    const name = { text_format: 'name' } as const;
    const { rows } = await here().read([ada], {
      var_first: define(user('first_name'), name),
      var_last: define(user('last_name'), name),
      var_full: define(user('full_name'), { ...name, template: 'Dear {{var}},' }),
    });
    expect(rows).toEqual([
      { var_first: 'Ada', var_last: 'van der Berg', var_full: 'Dear Ada van der Berg,' },
    ]);
  });

  test('VAR-010 VAR-011 VAR-012 dates are formatted in the organization’s zone', async () => {
    const { rows } = await here().read([ada], {
      var_pattern: define(user('first_payment_date'), { date_format: 'yyyy-MM-dd HH:mm' }),
      var_short: define(user('last_opened_at'), { date_format: 'relative-short' }),
      var_today: define(user('last_clicked_at'), { date_format: 'relative-today' }),
    });
    expect(rows).toEqual([
      { var_pattern: '2024-12-31 19:00', var_short: '5m ago', var_today: 'yesterday at 09:30 EST' },
    ]);
  });
});

describe('custom properties', () => {
  test('BOD-006 a value that is no link gives way to the fallback, which is one', async () => {
    const fallback = 'https://example.com/else';
    const links = { link_var_x: define(custom('plan'), { fallback }) };
    expect((await here().read([ada], links)).rows).toEqual([{ link_var_x: fallback }]);
    for (const value of ['javascript:alert(1)', 'https://example.com/own']) {
      await here().org.rest(`PUT /v1/people/${bare}/properties/plan`, { value });
      const { rows } = await here().read([bare], links);
      expect(rows).toEqual([{ link_var_x: value.startsWith('https') ? value : fallback }]);
    }
    await here().org.rest(`DELETE /v1/people/${bare}/properties/plan`);
  });

  test('VAR-003 VAR-016 are read by their exact keys, whatever their values say', async () => {
    const { rows, queries } = await here().read([ada, bare], {
      var_plan: define(custom('plan'), { template: '<{{var}}>' }),
      var_seats: define(custom('seats')),
      var_vip: define(custom('vip')),
      var_day: define(custom('Renewal'), { date_format: 'relative-today' }),
      var_no_day: define(custom('plan'), { date_format: 'yyyy' }),
      var_gone: define(custom('gone')),
      var_other_case: define(custom('renewal')),
    });
    expect(rows).toEqual([
      {
        var_plan: '<{{var_plan}} & $&>',
        var_seats: '7',
        var_vip: 'false',
        var_day: 'today',
        var_no_day: 'NONE',
        var_gone: 'NONE',
        var_other_case: 'NONE',
      },
      Object.fromEntries(Object.keys(rows[0]!).map((name) => [name, 'NONE'])),
    ]);
    expect(queries).toBe(1);
  });

  test('VAR-005 a value that was cleared is no value', async () => {
    const [person = ''] = await here().newPeople({});
    await here().org.rest(`PUT /v1/people/${person}/properties/plan`, { value: 'Gold' });
    const plan = { var_plan: define(custom('plan')) };
    expect((await here().read([person], plan)).rows).toEqual([{ var_plan: 'Gold' }]);
    await here().org.rest(`DELETE /v1/people/${person}/properties/plan`);
    expect((await here().read([person], plan)).rows).toEqual([{ var_plan: 'NONE' }]);
  });
});

describe('nobody', () => {
  test('without people or variables nothing is asked, and people of another organization have no values', async () => {
    expect(await here().read([], { var_x: define(user('first_name')) })).toEqual({ rows: [], queries: 0 });
    expect(await here().read([ada], {})).toEqual({ rows: [{}], queries: 0 });
    const other = await here().world.newOrg();
    const stranger = await other.person({ email: 'x@example.com', first_name: 'Stranger' });
    const { rows } = await here().read([stranger], {
      var_x: define(user('first_name')),
      var_y: define(custom('plan')),
    });
    expect(rows).toEqual([{ var_x: 'NONE', var_y: 'NONE' }]);
  });
});
