import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle/bundle.ts';

// `npm run bundle`: the service as a few files in dist, which bin/rostrum and the container run (ADR 108).
const { values } = parseArgs({ options: { to: { type: 'string', default: 'dist' } } });
const folder = resolve(values.to);
await bundle(folder);
process.stdout.write(`The service is in ${relative('.', folder)}.\n`);
