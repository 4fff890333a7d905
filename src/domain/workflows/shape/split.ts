import type { GoesOn, Traveller } from './node-run.ts';

/** One branch of a split: what a path says about it, and the node it leads to. */
interface Branch<Deed extends string> {
  readonly did: Deed;
  readonly to: string;
}

/** Sends people for whom it holds one way, and all others the other. */
export const splitBy = <Deed extends string>(
  holds: ReadonlySet<string>,
  travellers: readonly Traveller[],
  yes: Branch<Deed>,
  no: Branch<Deed>,
): GoesOn<Deed>[] =>
  travellers.map(({ person_id, at }) => ({
    does: 'go_on',
    at,
    ...(holds.has(person_id) ? yes : no),
  }));
