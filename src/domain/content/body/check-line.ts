import type { Finding } from './body.ts';
import { Findings } from './findings.ts';
import { marksOf } from './template-syntax.ts';

/** The first part of a subject or a preview text that reads as a variable: both are sent exactly as written. */
export function findTemplateSyntax(text: string): Finding | undefined {
  const mark = marksOf(text).next().value;
  if (mark === undefined) return undefined;
  const findings = new Findings(text);
  if (mark.name === undefined) {
    findings.add(mark.at, 'template_syntax', `${mark.text} would be sent as it stands. Remove it.`);
  } else {
    const detail = `${mark.text} would not be replaced: this line is sent exactly as written. Use it in the body.`;
    findings.add(mark.at, 'placeholder_place', detail);
  }
  return findings.list()[0];
}
