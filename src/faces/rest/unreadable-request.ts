import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { toProblem } from '../../catalogue/problem.ts';
import { Failure } from '../../kernel/failure.ts';

/**
 * Refuses bytes that are not HTTP in the same shape as any other refusal. No request exists, so the answer is written
 * to the socket by hand, with an id of its own.
 */
export const answerUnreadable =
  (newRequestId: () => string) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (socket.writable && error.code !== 'ECONNRESET') {
      const requestId = newRequestId();
      const problem = toProblem(readError(error.code), '/', requestId);
      const body = JSON.stringify(problem);
      const head = [
        `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
        'Content-Type: application/json; charset=utf-8',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-store',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `Request-Id: ${requestId}`,
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroy(error);
  };

function readError(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Failure('too_large', 'The path and the headers are too long.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Failure('invalid_request', 'The request did not arrive within a minute.');
  }
  return new Failure('invalid_request', 'This is not valid HTTP.');
}
