import type { FastifyReply } from 'fastify';
import type { CostClass, RateStanding } from '../../domain/orgs/rate-limit.ts';

/** How the organization stands with this kind of call. */
export const rateHeaders =
  (reply: FastifyReply) =>
  (cost: CostClass, standing: RateStanding): void => {
    reply.header('RateLimit-Policy', `"${cost}";q=${standing.limit};w=60`);
    reply.header('RateLimit', `"${cost}";r=${standing.remaining};t=${standing.resetSeconds}`);
  };
