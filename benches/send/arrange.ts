import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openDkimKey } from '../../src/domain/senders/dkim-key.ts';
import type { SendingDomainId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import type { BenchOrg } from '../support/bench-database.ts';
import { RestClient } from '../support/rest-client.ts';
import { secret, type Service } from './service.ts';

/** An organization that can send, and webinars whose registrants it can send to at once. */
export interface Setting {
  readonly org: BenchOrg;
  readonly rows: pg.Client;
  readonly rest: RestClient;
  readonly senderId: string;
  /** Its messages, and no others, come from there. */
  readonly domain: string;
}

const html = `<h1>What is new this month</h1>
<p>Dear {{var_name}}, here is what we made for {{var_company}} and everybody else since we last wrote. It is a letter of
the usual kind: a few paragraphs, a list, a picture and some links, as most of them are.</p>
<p><img src="https://example.com/header.png" alt="A picture of the office" width="600"></p>
<h2>A faster start</h2>
<p>Opening the first page takes half as long as it did. <a href="https://example.com/news/start?from=mail">Read how</a>,
or <a href="https://example.com/try">try it</a> yourself.</p>
<ul><li>Lists of any length open at once</li><li>Search finds parts of words</li><li>Exports come by mail</li></ul>
<h2>Where to meet us</h2>
<p>We are in four cities this spring, and there is a session online for who cannot come. Seats are free and go fast, so
<a href="https://example.com/events">see the dates</a> soon. If {{var_company}} would like a session of its own, answer
this message and we shall arrange it.</p>
<p>With kind regards,<br>the people at Example</p>`;

const company = '{{context.root_context.org_user.custom_properties.company}}';
const variables = {
  var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' },
  var_company: { variable: company, fallback: 'your company' },
};

export async function arrange(rows: pg.Client, org: BenchOrg, url: string): Promise<Setting> {
  const rest = new RestClient(url, org.secret);
  const domain = `${randomUUID().slice(0, 8)}.test`;
  const { sender } = (await rest.call('POST', '/v1/senders', {
    name: 'Bench',
    email: `news@${domain}`,
  })) as { sender: { id: string } };
  // As if DNS had been asked, and will not be again in this run.
  await rows.query(
    `update sending_domains set verified_at = now(), checked_at = now() + interval '1 day',
       next_check_at = now() + interval '1 day'
     where org_id = $1`,
    [org.id],
  );
  await rest.call('PUT', '/v1/email-layout', { company_name: 'Bench', postal_address: '1 Main Street' });
  return { org, rows, rest, senderId: sender.id, domain };
}

/** A webinar for which so many people are registered: who registered is written to at once, not over hours. */
export async function newWebinar({ rows, org }: Setting, registrants: number): Promise<string> {
  const id = randomUUID();
  await rows.query(
    `insert into webinars (org_id, id, title, start_time, status, created_at)
     values ($1, $2, 'A webinar', now() + interval '2 days', 'scheduled', now())`,
    [org.id, id],
  );
  await rows.query(
    `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
     select org_id, gen_random_uuid(), $2, id, now() from people where org_id = $1 order by id limit $3`,
    [org.id, id, registrants],
  );
  await rows.query('analyze registrations');
  return id;
}

export async function newDraft({ rest, senderId: sender_id }: Setting, webinar_id: string): Promise<string> {
  const { broadcast } = (await rest.call('POST', '/v1/broadcasts', {
    audience: 'webinar',
    webinar_id,
    subject: 'What is new this month',
    preview_text: 'A faster start, and where to meet us',
    html,
    variables,
    sender_id,
  })) as { broadcast: { id: string } };
  return broadcast.id;
}

/** Plans and schedules a draft as a client does, for a time that does not come in this run. */
export async function schedule({ rest }: Setting, id: string): Promise<void> {
  const send_at = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const { plan_token } = (await rest.call('POST', `/v1/broadcasts/${id}/plan`, { send_at })) as {
    plan_token: string;
  };
  await rest.call('POST', `/v1/broadcasts/${id}/schedule`, { plan_token });
}

/** Plans and schedules a draft as a client does, and takes its time to be now. */
export async function sendNow(setting: Setting, id: string, service: Service): Promise<void> {
  const { rows, org } = setting;
  await schedule(setting, id);
  await rows.query('update broadcasts set send_at = now() where org_id = $1 and id = $2', [org.id, id]);
  await service.rearm();
}

/** The key the sender signs with. */
export async function dkimPem({ rows, org }: Setting): Promise<string> {
  const { rows: found } = await rows.query<{
    id: SendingDomainId;
    dkim_public_key: string;
    dkim_private_key: Buffer;
  }>('select id, dkim_public_key, dkim_private_key from sending_domains where org_id = $1', [org.id]);
  const key = openDkimKey(keyring({ ROSTRUM_SECRET: secret }).stored, org.id, found[0]!);
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}
