import { runCommand } from '../../benches/support/command.ts';
import { away } from './away.ts';
import { broadcastCluster } from './broadcast-cluster.ts';
import { broadcast } from './broadcast.ts';
import { drill } from './drill.ts';
import { failover } from './failover.ts';
import { hold } from './hold.ts';
import { imports } from './import.ts';
import { outbox } from './outbox.ts';
import { pairs } from './pairs.ts';
import { restore } from './restore.ts';
import { workflow } from './workflow.ts';

await runCommand('faults', {
  outbox,
  broadcast,
  'broadcast-cluster': broadcastCluster,
  failover,
  restore,
  drill,
  away,
  pairs,
  workflow,
  import: imports,
  hold,
});
