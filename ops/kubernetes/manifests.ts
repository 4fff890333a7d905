import { Chart, Testing, Yaml } from 'cdk8s';
import { addNetworkPolicies } from './network.ts';
import { addRestate } from './restate.ts';
import { addMigration, addParts } from './service-parts.ts';

type Add = (chart: Chart) => void;

/** The committed files, in the order in which they are applied. */
const files: Readonly<Record<string, readonly Add[]>> = {
  '1-restate.yaml': [addRestate],
  '2-migrate.yaml': [addMigration],
  '3-rostrum.yaml': [addParts, addNetworkPolicies],
};

const head = '# Written by npm run kubernetes from the TypeScript beside it: change that.\n';

/** What stands in each file. */
export function manifests(): Map<string, { readonly objects: readonly object[]; readonly text: string }> {
  return new Map(
    Object.entries(files).map(([name, adds]) => {
      const chart = new Chart(Testing.app(), 'rostrum');
      for (const add of adds) add(chart);
      const objects = chart.toJson() as object[];
      return [name, { objects, text: head + Yaml.stringify(...objects) }];
    }),
  );
}
