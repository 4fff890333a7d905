/** Where the present comes from. The domain is handed a moment and never asks for one. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
