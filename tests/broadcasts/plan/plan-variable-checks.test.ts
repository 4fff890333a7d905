import { expect, test } from 'vitest';
import { codesOf, newWebinar, plan, register, readyDraft } from '../../support/broadcast.ts';
import { useWorld } from '../../support/world.ts';
import {
  blocksUntil,
  newConfig,
  patch,
  readyInvitation,
  readyText,
  setProperty,
  warnsUntil,
  type Json,
} from './plan-support.ts';

const world = useWorld();

const property = (key: string) => `{{context.root_context.org_user.custom_properties.${key}}}`;

const html = '<p>{{var_tier}} {{var_first}}</p>';
const variables: Json = {
  var_tier: { variable: property('tier'), fallback: 'free' },
  var_first: { variable: '{{context.root_context.org_user.first_name}}' },
};

test('PLN-028 variable_missing blocks once the property config is deleted, until it is there again', async () => {
  const org = await world().newOrg();
  const config = await newConfig(org, 'tier');
  const { id } = await readyDraft(world(), org, { html, variables });
  expect(codesOf(await plan(org, id))).toEqual(['everyone']);
  expect((await org.rest(`DELETE /v1/property-configs/${config}`)).status).toBe(200);
  const planned = await plan(org, id);
  expect(planned.preview.body).toBe('<p>free Rita</p>');
  expect(planned.variables.map(({ name }: Json) => name)).toEqual(['var_first']);
  const check = await blocksUntil(org, id, 'variable_missing', () => newConfig(org, 'tier'));
  expect(check.message).toContain('var_tier');
  expect(check.message).toContain(property('tier'));
});

test('PLN-028 variable_missing is mended by another variable, or a body without it', async () => {
  const org = await world().newOrg();
  const config = await newConfig(org, 'tier');
  const text = await readyText(world(), org, { message_body: '{{var_tier}} soon', variables });
  const email = await readyDraft(world(), org, { html, variables });
  await org.rest(`DELETE /v1/property-configs/${config}`);
  const name = { variable: '{{context.root_context.org_user.last_name}}', fallback: '-' };
  const redefine = () => patch(org, email.id, { variables: { ...variables, var_tier: name } });
  const rewrite = () => patch(org, text.id, { message_body: 'Soon' });
  for (const check of [
    await blocksUntil(org, email.id, 'variable_missing', redefine),
    await blocksUntil(org, text.id, 'variable_missing', rewrite),
  ]) {
    expect(check.message).toContain('var_tier');
  }
});

test.each(['number', 'boolean'])(
  'PLN-028 variable_missing blocks when a property that was a text with a date comes back as a %s',
  async (type) => {
    const org = await world().newOrg();
    const config = await newConfig(org, 'renews');
    const { id } = await readyDraft(world(), org, {
      html: '<p>{{var_when}}</p>',
      variables: { var_when: { variable: property('renews'), fallback: '-', date_format: 'yyyy' } },
    });
    await org.rest(`DELETE /v1/property-configs/${config}`);
    const back = await newConfig(org, 'renews', type);
    const check = await blocksUntil(org, id, 'variable_missing', async () => {
      await org.rest(`DELETE /v1/property-configs/${back}`);
      await newConfig(org, 'renews');
    });
    expect(check.message).toContain('var_when');
  },
);

test('PLN-028 a property spelled alike does not take the place of the one that was deleted', async () => {
  const org = await world().newOrg();
  const config = await newConfig(org, 'Tier');
  const { id } = await readyDraft(world(), org, {
    html: '<p>{{var_tier}}</p>',
    variables: { var_tier: { variable: property('Tier'), fallback: '-' } },
  });
  await newConfig(org, 'tier');
  await org.rest(`DELETE /v1/property-configs/${config}`);
  const check = await blocksUntil(org, id, 'variable_missing', () => newConfig(org, 'Tier'));
  expect(check.message).toContain(property('Tier'));
});

test('PLN-036 variable_unresolvable warns of who would get it without a value or a fallback, and counts them', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'tier');
  const { id } = await readyDraft(world(), org, {
    html: '<p>{{var_tier}}{{var_first}}</p>',
    variables: { var_tier: { variable: property('tier') }, var_first: variables.var_first },
  });
  const [one, two, out] = await Promise.all(
    ['one', 'two', 'out'].map((name) => org.person({ email: `${name}@example.com`, first_name: name })),
  );
  await org.rest(`PATCH /v1/people/${out}/opt-outs`, { email_opt_out: true });
  await setProperty(org, one!, 'tier', 'gold');
  const planned = await plan(org, id);
  const reader = planned.preview.person_id;
  const unresolvable = planned.checks.filter(({ code }: Json) => code === 'variable_unresolvable');
  expect(unresolvable).toEqual([
    {
      level: 'warning',
      code: 'variable_unresolvable',
      message: expect.stringContaining('var_tier'),
      count: 2,
    },
  ]);
  expect([one, two]).not.toContain(undefined);
  expect(planned.variables).toEqual([
    { name: 'var_tier', variable: property('tier'), with_value: 1, with_fallback: 2 },
    { name: 'var_first', variable: variables.var_first.variable, with_value: 3, with_fallback: 0 },
  ]);
  await setProperty(org, two!, 'tier', ' ');
  expect((await plan(org, id)).variables[0]).toMatchObject({ with_value: 1, with_fallback: 2 });
  const { body } = await org.rest('GET /v1/people?limit=200');
  await warnsUntil(org, id, 'variable_unresolvable', async () => {
    for (const { id: person } of body.people) {
      if (person !== out) await setProperty(org, person, 'tier', 'silver');
    }
  });
  expect(body.people.map((person: Json) => person.id)).toContain(reader);
});

test('PLN-036 variable_unresolvable is gone with a fallback, and does not ask about those who get nothing', async () => {
  const org = await world().newOrg();
  await newConfig(org, 'tier', 'number');
  const bare = { var_tier: { variable: property('tier') } };
  const { id, person } = await readyText(world(), org, {
    message_body: '{{var_tier}} left',
    variables: bare,
  });
  const fallback = { var_tier: { variable: property('tier'), fallback: 'few' } };
  const define = () => patch(org, id, { variables: fallback });
  expect(await warnsUntil(org, id, 'variable_unresolvable', define)).toMatchObject({ count: 1 });
  await patch(org, id, { variables: bare });
  const leave = () => org.rest(`PATCH /v1/people/${person}/opt-outs`, { sms_opt_out: true });
  expect(await warnsUntil(org, id, 'variable_unresolvable', leave)).toMatchObject({ count: 1 });
});

test('PLN-036 a personal link is a value, and so is the link of the webinar', async () => {
  const org = await world().newOrg();
  const join_url = 'https://example.com/join';
  const [bare, linked] = [await newWebinar(world(), org), await newWebinar(world(), org, { join_url })];
  const html = '<p><a href="{{link_var_join}}">Join</a></p>';
  const link_var_join = { variable: '{{context.root_context.join_url}}' };
  for (const [webinar, counts] of [
    [bare, { with_value: 1, with_fallback: 2 }],
    [linked, { with_value: 3, with_fallback: 0 }],
  ] as const) {
    const draft = { html, variables: { link_var_join } };
    const { id } = await readyInvitation(world(), org, webinar, draft);
    for (const link of ['https://example.com/ada', null]) {
      const guest = await org.person({ email: `${webinar}-${link === null}@example.com` });
      await register(world(), org, webinar, guest, { join_url: link });
    }
    expect((await plan(org, id)).variables).toEqual([{ name: 'link_var_join', ...link_var_join, ...counts }]);
  }
});
