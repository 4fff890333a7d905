import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { readSettings, Settings } from './settings.ts';

export const getSettings = defineOperation({
  name: 'get_settings',
  title: 'Read the settings',
  summary:
    'How this organization writes dates and dials numbers, whether sending takes two credentials, and whom a test organization ' +
    'really writes to.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/settings'] },
  input: z.strictObject({}),
  output: z.object({ settings: Settings }),
  handle: async (work) => ({ settings: await readSettings(work) }),
});
