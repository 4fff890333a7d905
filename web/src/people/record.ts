import type { Output } from '../call/types.ts';

/** All that is known of a person. */
export type PersonRecord = Output<'get_person'>['person'];
