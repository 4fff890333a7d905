import type { AccountParts } from '../../domain/accounts/parts.ts';
import type { TokenParts } from '../../domain/connections/token-pair.ts';
import type { Permission } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { FewAtOnce } from '../../kernel/few-at-once.ts';

export interface OauthParts extends TokenParts {
  readonly transact: AccountParts['transact'];
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Permissions that some tool asks for. */
  readonly offered: readonly Permission[];
  /** Strangers ask here, so they hold a small part of the connections. */
  readonly inTurn: FewAtOnce;
}
