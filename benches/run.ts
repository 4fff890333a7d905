import { access } from './access/bench.ts';
import { canvas } from './canvas/bench.ts';
import { dashboard } from './dashboard/bench.ts';
import { footprint } from './footprint/bench.ts';
import { imports } from './imports/bench.ts';
import { neighbours } from './neighbours/bench.ts';
import { people } from './people/bench.ts';
import { plan } from './plan/bench.ts';
import { registrationPage } from './registration-page/bench.ts';
import { segments } from './segments/bench.ts';
import { send } from './send/bench.ts';
import { runCommand } from './support/command.ts';
import { tracing } from './tracing/bench.ts';
import { webinars } from './webinars/bench.ts';
import { years } from './years/bench.ts';

await runCommand('bench', {
  people,
  plan,
  segments,
  send,
  webinars,
  'registration-page': registrationPage,
  footprint,
  imports,
  neighbours,
  dashboard,
  canvas,
  tracing,
  access,
  years,
});
