import { cp, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A copy of the source in which one handler takes other steps: another release. A step that is called `wait` ends once
 * there is a file with the name of the witness and `.go`. Whoever asks removes the folder.
 */
export async function changedRelease(
  witness: string,
  name: string,
  steps: readonly string[],
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'rostrum-release-'));
  await cp('src', join(root, 'src'), { recursive: true });
  await cp('package.json', join(root, 'package.json'));
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  const lines = steps.map((step) =>
    step === 'wait'
      ? `while (!(await context.run('look', () => existsSync('${witness}.go')))) await context.sleep(500);`
      : `await context.run('${step}', () => appendFileSync('${witness}', \`${name} ${step} \${change_id}\\n\`));`,
  );
  await writeFile(
    join(root, 'src/durable/person-properties.ts'),
    `import { appendFileSync, existsSync } from 'node:fs';
    export const personProperties = () => ({
      options: { inactivityTimeout: 0, abortTimeout: { minutes: 1 } }, // a wait hangs up, and is continued by replay
      handle: async (context: any, { change_id }: any) => { ${lines.join('\n')} },
    });`,
  );
  return root;
}
