export interface Block {
  /** `sh` and what else stands after the fence: `sh`, `sh server`, `sh no-run: …`. */
  readonly info: string;
  readonly line: number;
  readonly commands: string;
  /** What the page says is answered: the plain block right after it. `…` stands for anything. */
  readonly answer: string | undefined;
}

/** The shell blocks of a page, in order. */
export function readBlocks(page: string): Block[] {
  const fences = [...page.matchAll(/^```(.*)\n([^]*?)^```$/gm)];
  return fences.flatMap((fence, at) => {
    const [whole, info = '', commands = ''] = fence;
    if (!/^sh\b/.test(info)) return [];
    const next = fences[at + 1];
    const between = page.slice(fence.index + whole.length, next?.index);
    const isAnswer = next?.[1] === '' && between.trim() === '';
    const line = page.slice(0, fence.index).split('\n').length + 1;
    return [{ info, line, commands, answer: isAnswer ? next[2] : undefined }];
  });
}

/** Does the output hold what the page says, in that order? Where lines break does not matter. */
export function isAnswered(output: string, answer: string): boolean {
  const text = withoutSpace(output);
  let at = 0;
  for (const piece of answer.split('…').map(withoutSpace)) {
    at = text.indexOf(piece, at);
    if (at === -1) return false;
    at += piece.length;
  }
  return true;
}

/** curl speaks of a refusal too; pages show what the service said. */
const withoutSpace = (text: string): string =>
  text.replaceAll(/^curl: \(22\).*$/gm, '').replaceAll(/\s+/g, '');
