import { beginSending } from '../../../src/domain/broadcasts/sending/begin-sending.ts';
import { startRun } from '../../../src/domain/broadcasts/sending/start-run.ts';
import { keyring } from '../../../src/main/keys.ts';
import { mailSettings } from '../../../src/main/mail-settings.ts';
import { schedule } from '../../support/broadcast.ts';
import type { TestOrg } from '../../support/test-org.ts';
import type { World } from '../../support/world.ts';
import type { Random } from '../../segments/random.ts';

/** What the service said, and what it had to. */
type Compared = readonly [said: unknown, wanted: unknown];

/** As many people as there are. */
export const most = 40;

/** What an audience may have become: by the percent of what was planned, reckoned with whole numbers. */
const isBeyond = (percent: number, planned: number, now: number): boolean =>
  now > planned ? (now - planned) * 100 > percent * planned : (planned - now) * 100 > percent * planned;

/** A broadcast to the registrants of a webinar, who come and go around the moment of sending. */
export class Story {
  readonly world: World;
  readonly org: TestOrg;
  readonly random: Random;
  readonly percent: number;
  readonly people: readonly string[];
  readonly webinar: string;
  readonly id: string;
  there = 0;
  planned = 0;
  state: 'scheduled' | 'held' | 'sending' = 'scheduled';
  /** What the person was shown last. */
  counted = 0;

  constructor(
    world: World,
    org: TestOrg,
    random: Random,
    about: Pick<Story, 'percent' | 'people' | 'webinar' | 'id'>,
  ) {
    this.world = world;
    this.org = org;
    this.random = random;
    this.percent = about.percent;
    this.people = about.people;
    this.webinar = about.webinar;
    this.id = about.id;
  }

  async changeAudience(): Promise<Compared> {
    const wanted = this.random.int(0, most);
    await this.world.admin.query('delete from registrations where webinar_id = $1 and person_id = any($2)', [
      this.webinar,
      this.people.slice(wanted),
    ]);
    await this.world.admin.query(
      `insert into registrations (org_id, id, webinar_id, person_id, registered_at)
       select $1, gen_random_uuid(), $2, unnest($3::uuid[]), now()`,
      [this.org.id, this.webinar, this.people.slice(this.there, wanted)],
    );
    this.there = wanted;
    return [0, 0];
  }

  async ring(): Promise<Compared> {
    const { send_at, revision } = (
      await this.world.admin.query('select send_at, revision::int from broadcasts where id = $1', [this.id])
    ).rows[0];
    const isOld = this.random.chance(0.3);
    const alarm = { org_id: this.org.id, broadcast_id: this.id, revision: isOld ? revision - 1 : revision };
    const at = new Date(send_at.getTime() + this.random.int(0, 59 * 60_000));
    const parts = { keys: keyring(this.world.config), mail: mailSettings(this.world.config) };
    const providers = () => Promise.reject(new Error('a test organization has none'));
    const { outcome } = await beginSending(this.world.database, alarm, at, startRun({ ...parts, providers }));
    if (isOld) return [outcome, 'moved_on'];
    if (this.state === 'sending') return [outcome, 'moved_on'];
    if (this.state === 'held') return [outcome, 'held'];
    const holds = isBeyond(this.percent, this.planned, this.there);
    this.state = holds ? 'held' : 'sending';
    this.counted = this.there;
    return [outcome, holds ? 'held' : 'began'];
  }

  async look(): Promise<Compared> {
    const { body } = await this.org.rest(`GET /v1/broadcasts/${this.id}/recount`);
    if (this.state !== 'held') return [body.code, 'not_held'];
    this.counted = this.there;
    return [body.audience.recipients, this.there];
  }

  async release(): Promise<Compared> {
    const { counted } = this;
    const { body } = await this.org.rest(`POST /v1/broadcasts/${this.id}/release`, { counted });
    if (this.state !== 'held') return [body.code, 'not_held'];
    if (isBeyond(this.percent, counted, this.there))
      return [
        [body.code, body.errors?.[0].allowed],
        ['audience_changed', [`${this.there}`]],
      ];
    [this.state, this.planned] = ['scheduled', this.there];
    return [body.counted, this.there];
  }

  async takeBack(): Promise<Compared> {
    const { status } = await this.org.rest(`POST /v1/broadcasts/${this.id}/unschedule`);
    const wanted = this.state === 'sending' ? 409 : 200;
    if (status === 200) await this.schedule();
    return [status, wanted];
  }

  async schedule(): Promise<void> {
    await schedule(this.org, this.id);
    [this.state, this.planned, this.counted] = ['scheduled', this.there, this.there];
  }

  /** Where it should stand by what was done to it. */
  get expected() {
    const [isHeld, isSending] = [this.state === 'held', this.state === 'sending'];
    return {
      status: isHeld ? 'scheduled' : this.state,
      planned: isHeld ? this.planned : null,
      lanes: isSending ? 1 : 0,
      recipients: 0, // nobody is at work in the lane
    };
  }

  async standing(): Promise<Story['expected']> {
    const { status, held } = (await this.org.rest(`GET /v1/broadcasts/${this.id}`)).body.broadcast;
    const { rows } = await this.world.admin.query(
      `select (select count(*) from delivery_lanes where broadcast_id = $1)::int as lanes,
         (select count(*) from deliveries where broadcast_id = $1)::int as recipients`,
      [this.id],
    );
    return { status, planned: held?.planned ?? null, ...rows[0] };
  }
}
