import { runCommand } from '../../benches/support/command.ts';
import { broadcastCluster } from './broadcast-cluster.ts';
import { broadcast } from './broadcast.ts';
import { imports } from './import.ts';
import { outbox } from './outbox.ts';
import { workflow } from './workflow.ts';

await runCommand('faults', {
  outbox,
  broadcast,
  'broadcast-cluster': broadcastCluster,
  workflow,
  import: imports,
});
