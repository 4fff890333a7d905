import { writeFile } from 'node:fs/promises';
import { manifests } from '../ops/kubernetes/manifests.ts';

// npm run kubernetes: writes the manifests. tests/ops/kubernetes.test.ts holds the files to it.
for (const [name, { text }] of manifests()) {
  await writeFile(`ops/kubernetes/${name}`, text);
  console.log(`Wrote ops/kubernetes/${name}.`);
}
