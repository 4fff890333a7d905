/** A body as the editor holds it: TipTap's JSON, of the few nodes and marks that bodies have. */
export interface DocumentNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
  readonly content?: readonly DocumentNode[];
  readonly marks?: readonly DocumentMark[];
  readonly text?: string;
}

export interface DocumentMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
}

/** The names of placeholders, as the service reads them: var_x in text, link_var_x as a whole address. */
export const placeholder = /(?<!\{)\{\{(var_[A-Za-z0-9_-]{1,64})\}\}(?!\})/g;
const linkPlaceholder = /^\{\{(link_var_[A-Za-z0-9_-]{1,64})\}\}$/;
export const isPlaceholderName = (name: string): boolean => /^var_[A-Za-z0-9_-]{1,64}$/.test(name);

/** The name, where the address of a link is a placeholder. */
export const linkNameOf = (href: string): string | undefined => linkPlaceholder.exec(href)?.[1];

/** The placeholders a body uses, each once, in the order of the text. */
export function namesIn(node: DocumentNode): readonly string[] {
  const names = new Set<string>();
  const look = ({ type, attrs, marks = [], content = [] }: DocumentNode): void => {
    for (const mark of marks) {
      const name = mark.type === 'link' ? linkNameOf(String(mark.attrs?.['href'])) : undefined;
      if (name !== undefined) names.add(name);
    }
    if (type === 'variable') names.add(String(attrs?.['name']));
    content.forEach(look);
  };
  look(node);
  return [...names];
}
