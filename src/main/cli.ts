import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// What Node makes of the source is kept beside it, so that only the first start strips types and compiles. Where the
// folder cannot be written, every start does. It must be said before anything else is loaded.
enableCompileCache(fileURLToPath(new URL('../../.rostrum/compiled', import.meta.url)));

// Threads of Node make the signatures. With more of them than processors the thread that everything else waits for has
// its turn less often: four on two processors sent a seventh less. It must be said before one of them is needed.
process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(Math.max(availableParallelism(), 2), 4));

await import('./run-command.ts');
