import type { Hit } from './hit.ts';

/** A hit that a person made, by its organization's clock. */
export type HumanHit = Pick<Hit, 'delivery' | 'kind' | 'link' | 'at'> & { readonly id: number };

/** What some hits say about one message. A click implies an opening, even if the picture was not fetched. */
export interface HitSummary {
  readonly delivery: number;
  readonly opened: Date;
  readonly click: { readonly at: Date; readonly link: number } | undefined;
  readonly lastOpened: Date;
  readonly lastClicked: Date | undefined;
}

/** One summary for each message. */
export const summarizeHits = (hits: readonly HumanHit[]): HitSummary[] =>
  [...Map.groupBy(hits, ({ delivery }) => delivery)].map(([delivery, own]) => {
    const inOrder = own.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const clicks = inOrder.flatMap(({ kind, at, link }) =>
      kind === 'click' && link !== null ? [{ at, link }] : [],
    );
    return {
      delivery,
      opened: inOrder[0]!.at,
      click: clicks[0],
      lastOpened: inOrder.at(-1)!.at,
      lastClicked: clicks.at(-1)?.at,
    };
  });
