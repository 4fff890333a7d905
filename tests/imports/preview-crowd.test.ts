import { expect, test } from 'vitest';
import { performer } from '../../src/catalogue/perform.ts';
import { previewImport } from '../../src/domain/imports/preview/preview-import.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { callerOf } from '../queries/caller-of.ts';
import { append, mapped } from '../support/import.ts';
import { measured } from '../support/measured.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ env: { DATABASE_POOL_SIZE: '16' } });

test('a preview beside others leaves them most of the thread, and answers the same', measured, async () => {
  const org = await world().newOrg();
  const list = await mapped(org, { Mail: 'email', Phone: 'phone' });
  for (let from = 0; from < 3_000; from += 500) {
    const rows = Array.from({ length: 500 }, (_, n) => ({
      Mail: `p${from + n}@example.net`,
      Phone: `+1777${String(from + n).padStart(7, '0')}`,
    }));
    await append(org, list, rows);
  }
  const previewBeside = async (others: boolean): Promise<{ numbers: object; ms: number }> => {
    const perform = performer(world().database, keyring(world().config), mailSettings(world().config), {
      isCrowded: () => others,
    });
    const began = performance.now();
    const caller = callerOf(org, world().clock.now());
    const { output } = await perform(previewImport as never, caller, { import_id: list });
    const { commit_token, expires_at, ...numbers } = output;
    expect([typeof commit_token, typeof expires_at]).toEqual(['string', 'string']);
    return { numbers, ms: performance.now() - began };
  };
  await previewBeside(false); // code is slow at first
  const alone = await previewBeside(false);
  const inCrowd = await previewBeside(true);
  expect(inCrowd.numbers).toEqual(alone.numbers);
  expect(inCrowd.ms).toBeGreaterThan(1.5 * alone.ms);
});
