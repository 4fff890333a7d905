import { wantedRecords, type DomainKeys, type Finding, type Findings } from './domain-records.ts';
import type { Answer } from './look-up.ts';

/** The answer of DNS for each record. */
export interface Answers {
  readonly ownership: Answer;
  readonly dkim: Answer;
  readonly return_path: Answer;
  /** From the domain upwards, as far as was asked. */
  readonly dmarc: readonly { readonly host: string; readonly answer: Answer }[];
}

/** Compares the answers of DNS with what the domain must publish. */
export function judgeRecords(domain: DomainKeys, returnPathHost: string, answers: Answers): Findings {
  const wanted = wantedRecords(domain, returnPathHost);
  return {
    ownership: judge(answers.ownership, (values) => judgeOwnership(values, wanted.ownership.value)),
    dkim: judge(answers.dkim, (values) => judgeDkim(values, domain.dkim_public_key)),
    return_path: judge(answers.return_path, (values) => judgeReturnPath(values, returnPathHost)),
    dmarc: judgeDmarc(answers.dmarc),
  };
}

const found: Finding = { status: 'found', detail: null };
const missing = (detail: string | null = null): Finding => ({ status: 'missing', detail });
const wrong = (detail: string): Finding => ({ status: 'wrong', detail });
const unreachable = (reason: string): Finding => ({
  status: 'unreachable',
  detail: `The name servers gave no answer (${reason}).`,
});

function judge(answer: Answer, judgeValues: (values: readonly string[]) => Finding): Finding {
  if (answer.kind === 'unreachable') return unreachable(answer.reason);
  return answer.kind === 'nothing' ? missing() : judgeValues(answer.values);
}

/** Several organizations may send from one domain, each with a token of its own at the same host. */
function judgeOwnership(values: readonly string[], wanted: string): Finding {
  if (values.some((value) => value.trim() === wanted)) return found;
  const token = values.find((value) => value.trim().startsWith('rostrum-domain='));
  if (token !== undefined) return wrong(`Found another token: ${quote(token)}.`);
  return missing(`Found other text: ${quote(values[0] ?? '')}.`);
}

/** RFC 6376, 3.6.1: how a key record is read, and which one our signatures would pass with. */
function judgeDkim(values: readonly string[], publicKey: string): Finding {
  const [record = '', ...more] = values;
  if (more.length > 0) return wrong(`Found ${values.length} TXT records where there must be one.`);
  const tags = readTags(record);
  if (tags === undefined) return wrong(`It cannot be read as tags: ${quote(record)}.`);
  const [first] = tags.keys();
  if (tags.has('v') && (first !== 'v' || tags.get('v') !== 'DKIM1')) {
    return wrong('Its v= must be DKIM1 and come first.');
  }
  const key = tags.get('p')?.replaceAll(/\s/g, '');
  if (key === undefined) return wrong('It has no p=.');
  if (key === '') return wrong('Its p= is empty, which revokes the key.');
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return wrong('Its k= must be rsa.');
  if (!lists(tags.get('h'), 'sha256')) return wrong('Its h= leaves out sha256.');
  if (!lists(tags.get('s'), 'email', '*')) return wrong('Its s= leaves out email.');
  return key === publicKey ? found : wrong('Its p= is another key.');
}

/** `tag=value` parted by semicolons. Nothing, if a part is no such pair or a tag comes twice. */
function readTags(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  const parts = record.split(';');
  if (parts.at(-1)?.trim() === '') parts.pop();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (!/^[a-z]\w*$/i.test(name) || tags.has(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}

/** Whether a list parted by colons, if there is one, has one of the words. */
const lists = (list: string | undefined, ...words: readonly string[]): boolean =>
  list === undefined || list.split(':').some((item) => words.includes(item.trim()));

function judgeReturnPath(values: readonly string[], wanted: string): Finding {
  const targets = values.map(toHost);
  if (targets.includes(toHost(wanted))) return found;
  return wrong(`It points to ${quote(targets.join(', '))}.`);
}

const toHost = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** RFC 7489, 6.3 and 6.6.3, with the walk up the tree of its successor: the first name that has a record decides. */
function judgeDmarc(answers: Answers['dmarc']): Finding {
  for (const { host, answer } of answers) {
    if (answer.kind === 'unreachable') return unreachable(answer.reason);
    if (answer.kind === 'found' && hasDmarc(answer)) {
      const at = host === answers[0]?.host ? '' : ` at ${host}`;
      return judgePolicy(dmarcIn(answer.values), at);
    }
  }
  return missing();
}

function judgePolicy(records: readonly string[], at: string): Finding {
  const [record = '', ...more] = records;
  if (more.length > 0) return wrong(`Found ${records.length} DMARC records${at} where there must be one.`);
  if (!/;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i.test(record)) {
    return wrong(`The record${at} has no p= of none, quarantine or reject: ${quote(record)}.`);
  }
  return at === '' ? found : { ...found, detail: `Found${at}.` };
}

const dmarcIn = (values: readonly string[]): string[] =>
  values.filter((value) => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(value));

/** Whether an answer ends the walk: the name has a DMARC record, right or wrong. */
export const hasDmarc = (answer: Answer): boolean =>
  answer.kind === 'found' && dmarcIn(answer.values).length > 0;

const mostQuoted = 120;

/** Text from foreign DNS records, made safe to store and show. */
function quote(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7e]/g, '?');
  return plain.length > mostQuoted ? `"${plain.slice(0, mostQuoted)}…"` : `"${plain}"`;
}
