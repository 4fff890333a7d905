import { tell } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { commitFile, untilOver } from './import-course.ts';
import type { Chance } from './chance.ts';
import { fileOf, strangersOf, type FileRow, type Named } from './import-file.ts';
import { judgeImport, judgePeople, type Done } from './import-judge.ts';
import { ImportModel } from './import-model.ts';
import { readPeople, toModel, type StoredPerson } from './import-people.ts';
import type { ImportStage } from './import-stage.ts';
import { PatientCaller } from './workflow-caller.ts';
import type { PatientRows } from './workflow-rows.ts';

export interface TenantPlan {
  readonly people: number;
  /** Imported one after another: each finds the people the one before has left. */
  readonly files: readonly { readonly rows: number; readonly merges: 'allow' | 'skip_rows' }[];
}

/** An organization that imports its files. */
export interface Party {
  /** Rows that fit. */
  readonly accepted: number;
  readonly again: () => number;
  readonly run: (patience: number) => Promise<Done[]>;
  readonly judge: (done: readonly Done[]) => Promise<Figure[]>;
}

interface Around {
  readonly rows: PatientRows;
  readonly chance: Chance;
  /** Imports to ask for, by their key. */
  readonly asked: Map<string, string>;
}

const gone = 20;

export async function openTenant(
  stage: ImportStage,
  { index, files: wanted }: TenantPlan & { readonly index: number },
  { rows, chance, asked }: Around,
): Promise<Party> {
  const { org, key } = stage.tenants[index]!;
  const caller = new PatientCaller(stage.url, key);
  const all = await readPeople(rows, org);
  const deleted = await deleteSome(caller, all);
  const people = all.filter((one) => !deleted.includes(one));
  const model = new ImportModel(
    people.map(toModel),
    new Set(deleted.map((one) => `email ${one.primary_email}`)),
  );
  const files = makeFiles(all.map(toNamed), { index, wanted, chance });

  const run = async (patience: number): Promise<Done[]> => {
    const done: Done[] = [];
    for (const [number, { file, merges }] of files.entries()) {
      const name = `import ${index + 1}.${number + 1}`;
      const { id, previewed } = await commitFile(caller, { file, merges, isFirst: number === 0 }, name);
      asked.set(id, key);
      done.push({ file, merges, previewed, last: await untilOver(caller, id, patience) });
      tell(`${name}: ${done.at(-1)!.last.status}`);
    }
    return done;
  };
  const judge = async (done: readonly Done[]): Promise<Figure[]> => {
    const figures: Figure[] = [];
    for (const [number, one] of done.entries()) {
      const wrong = await judgeImport(rows, model, one);
      for (const line of wrong) tell(line);
      const { total_rows, succeeded, failed, skipped, people_created, people_merged } = one.last;
      figures.push(
        told(`import ${index + 1}.${number + 1}: rows`, total_rows),
        told('  succeeded', succeeded),
        told('  failed', failed),
        told('  skipped', skipped),
        told('  people made', people_created),
        told('  people merged', people_merged),
        exactly('  numbers that are not as the model says', wrong.length, 0),
      );
    }
    const before = new Set(people.map(({ id }) => id));
    return [...figures, ...(await judgePeople(rows, org, { model, before }))];
  };
  const accepted = files.reduce((sum, { file }) => sum + file.filter(({ says }) => says !== null).length, 0);
  return { accepted, again: () => caller.again, run, judge };
}

/** Some who had opted out are gone by now; whoever comes with their addresses is opted out again. */
async function deleteSome(caller: PatientCaller, all: readonly StoredPerson[]): Promise<StoredPerson[]> {
  const some = all.filter((one) => one.email_opt_out).slice(0, gone);
  for (const { id } of some) await caller.call('DELETE', `/v1/people/${id}?drop_suppression=true`);
  return some;
}

function makeFiles(
  seeded: readonly Named[],
  { index, wanted, chance }: { index: number; wanted: TenantPlan['files']; chance: Chance },
): { file: FileRow[]; merges: 'allow' | 'skip_rows' }[] {
  const known = [...seeded];
  return wanted.map(({ rows, merges }, number) => {
    const strangers = strangersOf(10 * index + number, Math.ceil(rows / 4));
    // A preview cannot know what the database will refuse, so that some are without.
    const hasPoison = merges === 'allow';
    const file = fileOf(rows, { known, strangers, hasPoison }, chance);
    known.push(...strangers);
    return { file, merges };
  });
}

const toNamed = ({ external_user_id, primary_email, primary_phone }: StoredPerson): Named => ({
  external: external_user_id!,
  email: primary_email!,
  phone: primary_phone!,
});
