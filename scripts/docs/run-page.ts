import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAnswered, readBlocks, type Block } from './read-blocks.ts';

export interface PageRun {
  readonly page: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** On a fresh database the answers must be those of the page; later it is enough that nothing fails. */
  readonly isFirst: boolean;
}

const mostMs = 300_000;
const mark = '\u0001';

/** Runs the commands of a page in one shell, as a reader would, and tells what failed. */
export async function runPage({ page, folder, env, isFirst }: PageRun): Promise<string[]> {
  const blocks = readBlocks(readFileSync(join(folder, page), 'utf8')).filter(({ info }) => info === 'sh');
  const { outputs, code } = await runShell((isFirst ? '' : quickNpx) + strict, blocks, folder, env);
  const last = outputs.length - 1;
  const tell = (at: number, problem: string): string =>
    `${page}:${blocks[at]!.line} ${problem}\n${indent(blocks[at]!.commands)}\n  It said:\n${indent(outputs[at]!)}`;
  if (code !== 0) return [tell(last, code === null ? 'did not end' : `ended with ${code}`)];
  if (!isFirst) return [];
  return blocks.flatMap(({ answer }, at) =>
    answer === undefined || isAnswered(outputs[at]!, answer)
      ? []
      : [`${tell(at, 'answered something else')}\n  The page says:\n${indent(answer)}`],
  );
}

/** npm takes seconds to find out what it is to run; that it does was seen the first time. */
const quickNpx = `npx() { command "bin/$1" "\${@:2}"; }\n`;

/** Ends with the first command that fails, and says which. */
const strict = `set -eEo pipefail; shopt -s inherit_errexit; exec 2>&1
trap 'echo "[failed: $BASH_COMMAND]"' ERR\n`;

async function runShell(prelude: string, blocks: readonly Block[], cwd: string, env: NodeJS.ProcessEnv) {
  const script = blocks.map(({ commands }) => `printf '${mark}'\n${commands}`).join('\n');
  const shell = spawn('bash', ['-c', prelude + script], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const limit = setTimeout(() => shell.kill('SIGKILL'), mostMs);
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => shell.on('close', resolve));
  clearTimeout(limit);
  return { outputs: output.split(mark).slice(1), code };
}

const indent = (text: string): string => text.trimEnd().replaceAll(/^/gm, '    ').slice(0, 4_000);
