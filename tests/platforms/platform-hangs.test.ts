import { performance } from 'node:perf_hooks';
import { afterAll, expect, test } from 'vitest';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { startZoom } from '../support/zoom.ts';
import { connect, link, registrationOf } from './setting.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());
const sending = useSending({ ZOOM_API_URL: zoom.url, ZOOM_OAUTH_URL: zoom.url });
const patienceMs = 10_000; // with a platform that does not answer
const atOnce = 5; // calls to it
const many = isLong ? 40 : 16;

const stateOf = async (registration: string): Promise<string> =>
  (await registrationOf(sending().world, registration)).push_state;

test(
  'registering answers as fast while the platform hangs, and the link comes once it does not',
  { ...measured, timeout: 400_000 },
  async () => {
    const org = await newSendingOrg(sending().world);
    zoom.behave = ({ what }) => (what === 'register' ? 'silent' : undefined);
    const { id: connection } = await connect(org, zoom);
    const { id: plain } = await createWebinar(org);
    const { id: hanging } = await createWebinar(org);
    await link(org, hanging, connection);
    const times = new Map<string, number[]>([
      [plain, []],
      [hanging, []],
    ]);
    const ids: string[] = [];
    const first = performance.now();
    for (let n = 0; n < many; n++) {
      for (const webinar of [plain, hanging]) {
        const began = performance.now();
        const { registration_id } = await registerFor(org, webinar, { email: `p${n}@example.com` });
        times.get(webinar)!.push(performance.now() - began);
        if (webinar === hanging) ids.push(registration_id);
      }
    }
    const median = (webinar: string) => times.get(webinar)!.toSorted((a, b) => a - b)[many / 2]!;
    expect(median(hanging)).toBeLessThan(2 * median(plain) + 25);
    expect(Math.max(...times.get(hanging)!)).toBeLessThan(patienceMs);
    // Some hang, and the next come when nobody waits for those any more.
    const calls = zoom.calls.filter(({ what }) => what === 'register').length;
    const rounds = 1 + Math.floor((performance.now() - first) / (patienceMs - 500));
    expect(calls).toBeLessThanOrEqual(atOnce * rounds);
    zoom.behave = () => undefined;
    for (const id of ids)
      await expect.poll(() => stateOf(id), { timeout: 240_000, interval: 200 }).toBe('registered');
  },
);
