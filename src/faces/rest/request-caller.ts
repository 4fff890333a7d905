import type { Caller } from '../../kernel/caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is known. */
    caller?: Caller;
  }
  interface FastifyContextConfig {
    /** The operation a route serves, for logs and metrics. */
    operation?: string;
  }
}
