import type { Logger } from 'pino';
import { accountTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import { offerSetup } from '../domain/accounts/first-user.ts';
import type { Config } from './config.ts';
import { keyring } from './keys.ts';
import { mailSettings } from './mail-settings.ts';

/** While nobody has an account, says in the log where the first one is made and by which code. */
export async function announceSetup(config: Config, database: Database, log: Logger): Promise<void> {
  const url = `${mailSettings(config).publicUrl}/setup`;
  try {
    const code = await offerSetup({
      transact: (access, work) => accountTransaction(database, access, work),
      keys: keyring(config),
    });
    if (code !== undefined) log.warn({ url, code }, 'nobody has an account yet: make the first one');
  } catch (error) {
    // The API serves organizations all the same; the next start asks again.
    log.warn(
      { err: (error as { code?: string }).code ?? 'unknown' },
      'whether there is an account is not known',
    );
  }
}
