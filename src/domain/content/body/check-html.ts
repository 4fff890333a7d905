import {
  defaultTreeAdapter,
  html as names,
  parseFragment,
  type DefaultTreeAdapterTypes as Tree,
} from 'parse5';
import type { BodyCheck, Compiled } from './body.ts';
import { compileHtml } from './compile-html.ts';
import { compilePlain } from './compile-plain.ts';
import { Findings } from './findings.ts';
import { checkCharacters, checkLength } from './limits.ts';
import { isInsecure } from '../../../kernel/link.ts';
import type { Placed } from './open-elements.ts';
import { addParseError } from './parse-error.ts';
import { placeholdersOf } from './pieces.ts';
import { readTags } from './read-tags.ts';

// Without an element around it a body would be read as the content of a template, where stray end tags do nothing.
const surroundings = defaultTreeAdapter.createElement('div', names.NS.HTML, []);

/**
 * Compiles a body in the small language of mails, or says what is wrong with it and where. It repairs nothing: what the
 * author did not write is not sent, and markup that a browser would read differently is refused.
 */
export function checkHtml(html: string): BodyCheck {
  const findings = new Findings(html);
  if (!checkLength(html, findings)) return { findings: findings.list() };
  checkCharacters(html, findings);
  const written = readTags(html, findings);
  // Only a body whose tags are sound is parsed into a tree. That also keeps the time linear.
  if (findings.any) return { findings: findings.list() };
  return checkTree(html, written, findings);
}

/** Compares the tree that a browser makes with the tags that were read. */
export function checkTree(
  html: string,
  written: readonly Placed[],
  findings = new Findings(html),
): BodyCheck {
  const tree = parseFragment(surroundings, html, {
    sourceCodeLocationInfo: true,
    onParseError: (error) => addParseError(error, html, findings),
  });
  const found: Found[] = [];
  addElements(tree, 0, found);
  compare(written, found, findings);
  if (findings.any) return { findings: findings.list() };

  const pieces: Compiled = compileHtml(tree);
  const links = found.flatMap(({ element }) => element.attrs.filter(({ name }) => name === 'href'));
  return {
    body: {
      pieces,
      plain: compilePlain(tree),
      placeholders: placeholdersOf(pieces),
      insecureLinks: links.filter(({ value }) => isInsecure(value)).length,
    },
  };
}

interface Found {
  readonly element: Tree.Element;
  readonly depth: number;
}

function addElements(parent: Tree.ParentNode, depth: number, found: Found[]): void {
  for (const node of parent.childNodes) {
    if (!('tagName' in node)) continue;
    found.push({ element: node, depth });
    addElements(node, depth + 1, found);
  }
}

/** The tree a browser makes must be what the tags say: each element in its place, none added and none lost. */
function compare(written: readonly Placed[], found: readonly Found[], findings: Findings): void {
  for (let index = 0; index < Math.max(written.length, found.length); index++) {
    const one = written[index];
    const other = found[index];
    const offset = other?.element.sourceCodeLocation?.startOffset;
    if (one?.name === other?.element.tagName && one?.offset === offset && one?.depth === other?.depth)
      continue;
    const detail =
      'A browser would put this elsewhere than it is written. Close each element before the next.';
    findings.add(one?.offset ?? offset ?? 0, 'nesting', detail);
    return;
  }
}
