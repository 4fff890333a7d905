import { beforeAll, expect } from 'vitest';
import { acceptVariables, type Setting } from '../../src/domain/content/variables/accept-variables.ts';
import { SentVariables, type Definition } from '../../src/domain/content/variables/definition.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld, type World } from '../support/world.ts';
import { inOrg, newPropertyOrg } from './in-org.ts';

type Accepted = Awaited<ReturnType<typeof acceptVariables>>;

interface Accepting {
  readonly world: World;
  readonly org: TestOrg;
  /** What is made of definitions by a body that uses all of them, or those it is said to use. */
  accept(sent: Record<string, unknown>, setting?: Partial<Setting>): Promise<Accepted>;
  /** What is stored of one that is right. */
  stored(definition: Record<string, unknown>, name?: string): Promise<Definition | undefined>;
  /** Where and why one is refused. */
  refused(definition: Record<string, unknown>, name?: string, setting?: Partial<Setting>): Promise<string[]>;
}

/** An organization with four custom properties, and a way to have definitions judged there. */
export function useAccepting(): () => Accepting {
  const world = useWorld();
  let org: TestOrg;
  beforeAll(async () => {
    org = await newPropertyOrg(world());
  });
  const accept: Accepting['accept'] = async (sent, setting = {}) => {
    const { result } = await inOrg(world(), org, (work) =>
      acceptVariables(work, SentVariables.parse(sent), {
        placeholders: Object.keys(sent),
        source: '',
        channel: 'email',
        webinar: true,
        isLink: (url) => url.startsWith('https://'),
        ...setting,
      }),
    );
    return result;
  };
  return () => ({
    world: world(),
    org,
    accept,
    async stored(definition, name = 'var_x') {
      const { variables, errors } = await accept({ [name]: definition });
      expect(errors).toEqual([]);
      return variables[name];
    },
    async refused(definition, name = 'var_x', setting = {}) {
      const { errors } = await accept({ [name]: definition }, setting);
      for (const { detail } of errors) expect(detail).toMatch(/^[A-Z].*[.]$/);
      return errors.map(({ pointer, code }) => `${pointer} ${code}`);
    },
  });
}
