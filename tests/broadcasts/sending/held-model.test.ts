import { expect, test } from 'vitest';
import { newDraft, newWebinar, setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { seed, volume } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { most, Story } from './held-story.ts';

const world = useWorld();

test(`an audience that changes by any amount in any order begins, or is held and begins by a release, once (seed ${seed})`, async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const sender_id = await newSender(world(), org);
  const people: string[] = [];
  for (let n = 0; n < most; n++) people.push(await org.person({ email: `p${n}@example.com` }));
  const random = new Random(seed);
  for (let n = 0; n < volume(100); n++) {
    const webinar_id = await newWebinar(world(), org);
    const percent = random.pick([1, 10, 25, 50, 99, 100]);
    const message = { subject: `No. ${n}`, html: '<p>Hello</p>', sender_id };
    const { id } = await newDraft(org, {
      ...message,
      audience: 'webinar',
      webinar_id,
      hold_if_audience_changes_by: percent,
    });
    const story = new Story(world(), org, random, { percent, people, webinar: webinar_id, id });
    await story.changeAudience();
    await story.schedule();
    for (let step = 0; step < 12; step++) {
      const deed = random.pick([
        'changeAudience',
        'changeAudience',
        'ring',
        'look',
        'release',
        'takeBack',
      ] as const);
      const [said, wanted] = await story[deed]();
      expect([deed, said]).toEqual([deed, wanted]);
      expect(await story.standing()).toEqual(story.expected);
    }
  }
});
