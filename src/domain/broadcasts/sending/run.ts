import type { KeyObject } from 'node:crypto';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Database } from '../../../database/pool.ts';
import type { Work } from '../../../database/work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { SendingDomainId } from '../../../kernel/ids.ts';
import type { TrackedPieces } from '../../content/body/body.ts';
import { trackLinks, type TrackedLink } from '../../content/body/track-links.ts';
import { canSend, type FindProviders } from '../../delivery/outgoing/outgoing.ts';
import { openDkimKey } from '../../senders/dkim-key.ts';
import { audienceOf, type Audience } from '../plan/audience.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import type { Fence } from './fence.ts';
import type { Journal } from './journal.ts';
import { blockingContent } from '../plan/plan-checks.ts';
import { readPlanInputs, type PlanInputs } from '../plan/plan-inputs.ts';

/** The dependencies of every step of a run. */
export interface RunParts extends ServiceParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly providers: FindProviders;
  readonly fence: Fence;
  /** Without one, whatever a dead process had in hand is uncertain. */
  readonly journal?: Journal | undefined;
  /** Once aborted, a step ends after the window it has in hand. */
  readonly stopping: AbortSignal;
  /** Hears what became of messages, once that is committed. */
  readonly onOutcomes?: OnOutcomes | undefined;
}

export type OnOutcomes = (channel: string, states: readonly string[]) => void;

/** A broadcast under way, as one step needs it. */
export interface Run extends PlanInputs {
  readonly row: StoredBroadcast;
  readonly audience: Audience;
  readonly tracked: TrackedPieces;
  readonly links: readonly TrackedLink[];
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: KeyObject } | undefined;
  /** In test mode: the recipients that messages may really go to. */
  readonly testRecipients: readonly string[] | undefined;
}

/** Reads the current inputs of a broadcast, or a sentence saying why it cannot be sent. */
export async function readRun(
  work: Work,
  row: StoredBroadcast,
  providers: FindProviders,
): Promise<{ run: Run } | { problem: string }> {
  const inputs = await readPlanInputs(work, row, row.send_at ?? undefined);
  const [blocked] = blockingContent(inputs);
  if (blocked !== undefined) return { problem: blocked.message };
  const { draft, segment } = inputs;
  const isTest = work.caller.mode === 'test';
  if (!isTest && !canSend(await providers(work, draft.channel), draft.channel)) {
    return { problem: `This installation has nothing set up to send ${draft.channel} with.` };
  }
  const { pieces, links } = trackLinks(draft.body?.pieces ?? []);
  return {
    run: {
      ...inputs,
      row,
      audience: audienceOf(work, draft, segment?.conditions),
      tracked: pieces,
      links,
      dkim: draft.channel === 'email' ? await readDkim(work, row) : undefined,
      testRecipients: isTest ? await readTestRecipients(work) : undefined,
    },
  };
}

export async function readDkim(work: Work, { sender_id }: StoredBroadcast): Promise<Run['dkim']> {
  const domain = await work.db
    .selectFrom('senders as s')
    .innerJoin('sending_domains as d', (join) =>
      join.onRef('d.org_id', '=', 's.org_id').onRef('d.id', '=', 's.domain_id'),
    )
    .select(['d.id', 'd.domain', 'd.dkim_selector', 'd.dkim_public_key', 'd.dkim_private_key'])
    .where('s.org_id', '=', work.org)
    .where('s.id', '=', sender_id)
    .executeTakeFirstOrThrow();
  const key = openDkimKey(work.keys.stored, work.org, { ...domain, id: domain.id as SendingDomainId });
  return { domain: domain.domain, selector: domain.dkim_selector, key };
}

export async function readTestRecipients(work: Work): Promise<string[]> {
  const { test_recipients } = await work.db
    .selectFrom('organizations')
    .select('test_recipients')
    .where('id', '=', work.org)
    .executeTakeFirstOrThrow();
  return test_recipients;
}
