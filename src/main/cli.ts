import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What Node makes of the source is kept beside it, so that only the first start strips types and compiles. Where the
// folder cannot be written, every start does. It must be said before anything else is loaded.
enableCompileCache(fileURLToPath(new URL('../../.rostrum/compiled', import.meta.url)));
await import('./run-command.ts');
