import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

// On Linux this is about the thread alone: whoever waits for a body waits a little longer, so that nobody else does.
// Loading the rest takes as long as several bodies.
setPriority(10);
const { checkHtml } = await import('./check-html.ts');

// One body at a time: the next is sent after the answer. As JSON, because receiving thousands of pieces as objects
// would take the other thread longer than everything else.
parentPort!.on('message', (html: string) => parentPort!.postMessage(JSON.stringify(checkHtml(html))));
parentPort!.postMessage('ready');
