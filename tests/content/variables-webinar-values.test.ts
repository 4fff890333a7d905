import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TiedWebinar } from '../../src/domain/content/variables/source.ts';
import { custom, root, user } from './paths.ts';
import { define, useReading } from './reading.ts';

const here = useReading();
const webinar: TiedWebinar = {
  id: randomUUID(),
  title: 'Growth & you',
  start_time: new Date('2026-01-16T17:00:00Z'),
  timezone: null,
  duration_minutes: 90,
  join_url: 'https://example.com/all',
};
let ada: string;
let bare: string;

/** Two who are registered, one of them with a link of her own. */
beforeAll(async () => {
  const { org, world } = here();
  [ada = '', bare = ''] = await here().newPeople({ first_name: 'ADA' }, {});
  await org.rest(`PUT /v1/people/${ada}/properties/seats`, { value: 7 });
  await world.admin.query(
    'insert into webinars (org_id, id, title, start_time, created_at) values ($1, $2, $3, $4, now())',
    [org.id, webinar.id, webinar.title, webinar.start_time],
  );
  await world.admin.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at, join_url)
     values ($1, gen_random_uuid(), $2, $3, now(), 'https://example.com/ada'),
       ($1, gen_random_uuid(), $2, $4, now(), null)`,
    [org.id, webinar.id, ada, bare],
  );
});

describe('the webinar', () => {
  const facts = {
    var_title: define(root('webinar_title')),
    var_start: define(root('webinar_start_time')),
    var_local: define(root('webinar_start_time'), { date_format: 'HH:mm' }),
  };

  test('VAR-017 VAR-018 title and start are the same for everybody', async () => {
    const { rows, queries } = await here().read([ada, bare], facts, { webinar });
    const row = { var_title: 'Growth & you', var_start: '2026-01-16T17:00:00.000Z', var_local: '12:00' };
    expect(rows).toEqual([row, row]);
    expect(queries).toBeLessThanOrEqual(1);
  });

  test('VAR-018 the start is in the webinar’s own zone when it has one; other dates stay in the organization’s', async () => {
    const definitions = { ...facts, var_created: define(user('created_at'), { date_format: 'HH:mm' }) };
    const { rows } = await here().read([ada], definitions, {
      webinar: { ...webinar, timezone: 'Europe/Berlin' },
    });
    expect(rows).toMatchObject([{ var_local: '18:00', var_created: '03:08' }]);
  });

  test('VAR-019 join_url is the recipient’s own, else the webinar’s, else the fallback', async () => {
    const [stranger = ''] = await here().newPeople({});
    const join = { link_var_join: define(root('join_url')) };
    const links = async (tied: TiedWebinar) =>
      (await here().read([ada, bare, stranger], join, { webinar: tied })).rows.map(
        ({ link_var_join }) => link_var_join,
      );
    const all = 'https://example.com/all';
    expect(await links(webinar)).toEqual(['https://example.com/ada', all, all]);
    expect(await links({ ...webinar, join_url: null })).toEqual(['https://example.com/ada', 'NONE', 'NONE']);
    expect(await links({ ...webinar, id: randomUUID() })).toEqual([all, all, all]);
  });

  test('WFL-010 registration_join_url is the recipient’s own link, else the fallback, whatever the webinar’s is', async () => {
    const own = { link_var_own: define(root('registration_join_url')) };
    const { rows } = await here().read([ada, bare], own, { webinar });
    expect(rows).toEqual([{ link_var_own: 'https://example.com/ada' }, { link_var_own: 'NONE' }]);
  });

  test('VAR-020 the calendar links hold the recipient’s own link', async () => {
    const { rows } = await here().read(
      [ada],
      { var_google: define(root('google_calendar_url')), var_outlook: define(root('outlook_calendar_url')) },
      { webinar },
    );
    const google = new URL(rows[0]!['var_google']!).searchParams;
    const outlook = new URL(rows[0]!['var_outlook']!).searchParams;
    expect(google.get('dates')).toBe('20260116T170000Z/20260116T183000Z');
    expect(outlook.get('enddt')).toBe('2026-01-16T18:30:00Z');
    expect(google.get('details')).toContain('https://example.com/ada');
    expect(outlook.get('body')).toContain('https://example.com/ada');
  });

  test('VAR-005 without a webinar there is no value', async () => {
    const { rows, queries } = await here().read([ada], facts);
    expect(rows).toEqual([{ var_title: 'NONE', var_start: 'NONE', var_local: 'NONE' }]);
    expect(queries).toBe(0);
  });
});

describe('many at once', () => {
  test('five hundred people are read in three queries, each their own values', async () => {
    const names = Array.from({ length: 499 }, (_, at) => ({ first_name: `person ${at}` }));
    const many = await here().newPeople(...names);
    const { rows, queries } = await here().read(
      [...many, ada],
      {
        var_name: define(user('first_name'), { text_format: 'name' }),
        var_again: define(user('first_name')),
        var_plan: define(custom('plan')),
        var_seats: define(custom('seats')),
        link_var_join: define(root('join_url')),
        var_start: define(root('webinar_start_time')),
      },
      { webinar },
    );
    expect(queries).toBe(3);
    expect(rows).toHaveLength(500);
    expect(rows[7]).toMatchObject({
      var_name: 'person 7',
      var_plan: 'NONE',
      link_var_join: 'https://example.com/all',
    });
    expect(rows[499]).toMatchObject({
      var_name: 'Ada',
      var_seats: '7',
      link_var_join: 'https://example.com/ada',
    });
  });
});
