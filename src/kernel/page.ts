import { z } from 'zod';

/** What every list takes: out of range is refused, never clamped. */
export const pageInput = {
  limit: z.int().min(1).max(200).default(50).describe('How many to return.'),
  offset: z.int().min(0).max(100_000_000).default(0).describe('How many to skip.'),
};

/** What every list says beside its rows. */
export const pageOutput = {
  total: z.int().describe('How many match in all.'),
  limit: z.int(),
  offset: z.int(),
};
