import { parentPort } from 'node:worker_threads';
import { checkHtml } from './check-html.ts';

// One body at a time: the next is sent when the answer is there. As JSON, because thousands of pieces sent as objects
// would keep the thread that gets them busy for longer than all the rest.
parentPort!.on('message', (html: string) => parentPort!.postMessage(JSON.stringify(checkHtml(html))));
