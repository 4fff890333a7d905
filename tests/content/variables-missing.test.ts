import { describe, expect, test } from 'vitest';
import { missingVariables } from '../../src/domain/content/variables/accept-variables.ts';
import type { Variables } from '../../src/domain/content/variables/definition.ts';
import { useAccepting } from './accepting.ts';
import { inOrg } from './in-org.ts';
import { custom, root, user } from './paths.ts';

const here = useAccepting();

describe('what breaks later', () => {
  const missing = async (variables: Variables, webinar: boolean) =>
    inOrg(here().world, here().org, (work) => missingVariables(work, variables, { webinar }));

  test('a config that was deleted, or that came back as another type, is missing; the webinar too', async () => {
    const make = (type: string) =>
      here().org.rest('POST /v1/property-configs', { key: 'doomed', name: 'Doomed', type });
    const { body } = await make('string');
    const { variables } = await here().accept({
      var_name: { variable: user('first_name') },
      var_date: { variable: custom('doomed'), date_format: 'yyyy' },
      var_text: { variable: custom('doomed') },
      link_var_join: { variable: root('join_url') },
    });
    expect((await missing(variables, true)).result).toEqual([]);
    expect((await missing(variables, false)).result).toEqual(['link_var_join']);
    await here().org.rest(`DELETE /v1/property-configs/${body.property_config.id}`);
    expect((await missing(variables, true)).result).toEqual(['var_date', 'var_text']);
    await make('number');
    expect((await missing(variables, true)).result).toEqual(['var_date']);
  });

  test('without custom properties nothing is asked of the database', async () => {
    const { variables } = await here().accept({ var_name: { variable: user('first_name') } });
    expect(await missing(variables, false)).toEqual({ result: [], queries: 0 });
  });

  test('another organization’s key is unknown', async () => {
    const other = await here().world.newOrg();
    const { variables } = await here().accept({ var_x: { variable: custom('plan') } });
    const { result } = await inOrg(here().world, other, (work) =>
      missingVariables(work, variables, { webinar: false }),
    );
    expect(result).toEqual(['var_x']);
  });
});
