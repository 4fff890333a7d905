/** A person or a machine fetched a message's picture or followed one of its links. */
export interface Hit {
  readonly delivery: number;
  readonly kind: 'open' | 'click';
  /** The link number of a click. */
  readonly link: number | null;
  readonly at: Date;
  readonly agent: string;
  readonly method: 'GET' | 'HEAD';
}
