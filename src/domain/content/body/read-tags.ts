import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import { checkAttributes } from './check-attributes.ts';
import { elementNames, elementOf, isVoid } from './elements.ts';
import { type Findings, quotable } from './findings.ts';
import { OpenElements, type Placed } from './open-elements.ts';
import { addParseError } from './parse-error.ts';
import { TextRun } from './text-run.ts';

/** A browser reads the content of these as no markup. It is not scanned: the elements are refused anyway. */
const modes = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ...['textarea', 'title'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/**
 * Reads the tags one by one, because the tree no longer shows everything: it leaves out doctypes, stray end tags and
 * second attributes, and closes what is open. Returns the elements as written, to be compared with the tree.
 */
export function readTags(source: string, findings: Findings): readonly Placed[] {
  const elements = new OpenElements(findings);
  const run = new TextRun(source, findings);
  const refused = new Map<string, number>();
  let lastEnd = 0; // of the last token that is not text
  let unread: string | undefined; // the element whose content is not looked through
  let looseText = false;
  let endsInTag = false;

  const addText = ({ chars }: Token.CharacterToken): void => {
    if (unread !== undefined) return;
    run.add(chars, lastEnd);
    const parent = elements.current;
    if (looseText || (parent !== 'ul' && parent !== 'ol') || !/[^\t\n\f\r ]/.test(chars)) return;
    looseText = true;
    const place = lastEnd + /^[\t\n\f\r ]*/.exec(source.slice(lastEnd))![0].length;
    findings.add(place, 'nesting', `<${parent}> holds only <li>. Put the text into one.`);
  };

  const refuse = (name: string, offset: number): void => {
    const detail = `<${quotable(name)}> is not allowed. Use ${elementNames.join(', ')}.`;
    findings.add(offset, 'element_not_allowed', detail);
    refused.set(name, (refused.get(name) ?? 0) + 1);
    const mode = modes.get(name);
    if (mode === undefined) return;
    unread = name;
    tokenizer.state = mode;
  };

  const handler: TokenHandler = {
    onStartTag(tag) {
      const { tagName: name, location } = tag;
      lastEnd = location!.endOffset;
      looseText = false;
      const element = elementOf(name);
      if (element === undefined) return refuse(name, location!.startOffset);
      if (!isTransparent(name)) run.end();
      if (tag.selfClosing && !isVoid(name)) {
        const detail = `<${name}/> does not close itself. Write <${name}></${name}>.`;
        findings.add(location!.startOffset, 'malformed', detail);
      }
      elements.open(name, location!.startOffset);
      checkAttributes(tag, findings);
    },
    onEndTag({ tagName: name, location }) {
      lastEnd = location!.endOffset;
      looseText = false;
      if (unread !== undefined && unread !== name) return;
      unread = undefined;
      const open = refused.get(name) ?? 0;
      if (open > 0) {
        refused.set(name, open - 1);
        return;
      }
      if (!isTransparent(name)) run.end();
      elements.close(name, location!.startOffset);
    },
    onComment({ location }) {
      lastEnd = location!.endOffset;
      const [code, detail] = commentAt(source, location!.startOffset);
      findings.add(location!.startOffset, code, detail);
    },
    onDoctype({ location }) {
      lastEnd = location!.endOffset;
      const detail = 'A body is a part of a message and has no doctype. Remove it.';
      findings.add(location!.startOffset, 'doctype', detail);
    },
    onEof() {
      run.end();
      // The unfinished tag is no token: it begins where the last one ended, after the text between.
      if (endsInTag) findings.add(source.indexOf('<', lastEnd), 'unclosed', 'This tag has no >. Finish it.');
      elements.end();
    },
    onCharacter: addText,
    onWhitespaceCharacter: addText,
    onNullCharacter: addText,
    onParseError(error) {
      if (unread !== undefined) return;
      if (error.code === 'eof-in-tag') endsInTag = true;
      else addParseError(error, source, findings);
    },
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, handler);
  tokenizer.write(source, true);
  return elements.all;
}

/** Text goes on across these. */
const isTransparent = (name: string): boolean => name === 'a' || name === 'em' || name === 'strong';

function commentAt(source: string, offset: number): readonly [code: string, detail: string] {
  const startsWith = (text: string): boolean => source.startsWith(text, offset);
  if (startsWith('<![CDATA[')) return ['cdata', 'CDATA sections are not allowed. Write the text itself.'];
  if (startsWith('<!--') || startsWith('<!['))
    return ['comment', 'Comments are not allowed. Remove this one.'];
  if (startsWith('<?')) return ['processing_instruction', 'Only the tags of HTML are allowed. Remove this.'];
  return ['malformed', 'No tag begins here. Write < itself as &lt;.'];
}
