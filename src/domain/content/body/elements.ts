/** Where an element may stand: blocks make the body, inline ones the text within a block. */
interface Element {
  readonly kind: 'block' | 'inline' | 'item';
  readonly holds: 'blocks' | 'inline' | 'items' | 'nothing';
  readonly attributes: readonly string[];
}

/** The whole language of bodies. */
const elements: Readonly<Record<string, Element>> = {
  p: { kind: 'block', holds: 'inline', attributes: [] },
  h1: { kind: 'block', holds: 'inline', attributes: [] },
  h2: { kind: 'block', holds: 'inline', attributes: [] },
  h3: { kind: 'block', holds: 'inline', attributes: [] },
  strong: { kind: 'inline', holds: 'inline', attributes: [] },
  em: { kind: 'inline', holds: 'inline', attributes: [] },
  a: { kind: 'inline', holds: 'inline', attributes: ['href', 'title', 'class'] },
  ul: { kind: 'block', holds: 'items', attributes: [] },
  ol: { kind: 'block', holds: 'items', attributes: [] },
  li: { kind: 'item', holds: 'blocks', attributes: [] },
  img: { kind: 'inline', holds: 'nothing', attributes: ['src', 'alt', 'width', 'height', 'title'] },
  hr: { kind: 'block', holds: 'nothing', attributes: [] },
  br: { kind: 'inline', holds: 'nothing', attributes: [] },
};

export const elementNames = Object.keys(elements);

export const elementOf = (name: string): Element | undefined =>
  Object.hasOwn(elements, name) ? elements[name] : undefined;

export const isVoid = (name: string): boolean => elementOf(name)?.holds === 'nothing';

/** Why an element cannot stand in its parent (undefined: in the body itself), or undefined when it can. */
export function wrongWithPlace(name: string, parent: string | undefined): string | undefined {
  const { kind } = elementOf(name)!;
  const holds = parent === undefined ? 'blocks' : elementOf(parent)!.holds;
  if (kind === 'item')
    return holds === 'items' ? undefined : '<li> stands directly in <ul> or <ol> only. Put it there.';
  if (holds === 'items') return `<${parent}> holds only <li>. Put the <${name}> into one.`;
  if (holds === 'inline' && kind === 'block') {
    return `<${name}> cannot stand inside <${parent}>. Write </${parent}> before it.`;
  }
  return undefined;
}
