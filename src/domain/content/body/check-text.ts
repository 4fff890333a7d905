import type { BodyCheck } from './body.ts';
import { Findings } from './findings.ts';
import { checkCharacters, checkLength } from './limits.ts';
import { cutAtPlaceholders, Pieces, placeholdersOf } from './pieces.ts';
import { isForLinks, marksOf, notAPlaceholder } from './template-syntax.ts';

/** A text message: plain text, in which {{var_<id>}} may stand anywhere. */
export function checkText(text: string): BodyCheck {
  const findings = new Findings(text);
  if (!checkLength(text, findings)) return { findings: findings.list() };
  checkCharacters(text, findings);
  for (const { at, text: written, name } of marksOf(text)) {
    if (name === undefined) {
      findings.add(at, 'template_syntax', notAPlaceholder(written));
    } else if (isForLinks(name)) {
      const detail = `${written} is for links in email. In a text, write {{var_<id>}}: the address is sent as text.`;
      findings.add(at, 'placeholder_place', detail);
    }
  }
  if (findings.any) return { findings: findings.list() };

  const written = new Pieces();
  for (const piece of cutAtPlaceholders(text)) written.add(piece);
  const pieces = written.list();
  return { body: { pieces, plain: pieces, placeholders: placeholdersOf(pieces), insecureLinks: 0 } };
}
