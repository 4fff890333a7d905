import { parentPort } from 'node:worker_threads';
import { parseInbound } from './parse-inbound.ts';

// One message at a time: the parent sends the next after the answer.
parentPort!.on('message', (message: Uint8Array) => {
  void parseInbound(message).then((parsed) => parentPort!.postMessage(JSON.stringify(parsed)));
});
parentPort!.postMessage('ready');
