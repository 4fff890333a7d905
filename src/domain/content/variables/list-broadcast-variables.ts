import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { channels, sourceGroups, sourceTypes } from './source.ts';
import { readSources } from './sources.ts';

const ReadableVariable = z
  .object({
    variable: z.string().describe('The path, to be used exactly so.'),
    name: z.string(),
    label: z.string(),
    group: z.enum(sourceGroups),
    type: z.enum(sourceTypes),
    channels: z.array(z.enum(channels)),
    requires_webinar: z.boolean().describe('Only for a broadcast whose audience is a webinar.'),
    example: z.string(),
  })
  .meta({ id: 'ReadableVariable' });

export const listBroadcastVariables = defineOperation({
  name: 'list_broadcast_variables',
  title: 'List what variables can read',
  summary:
    "What the placeholders of a broadcast's body can read: the recipient's fields, custom properties and, for a " +
    'webinar audience, the webinar. For {{var_x}} in the body, send variables: {"var_x": {"variable": <a path from ' +
    'here>, "fallback": "there"}}. A link is href="{{link_var_x}}", defined as link_var_x by a url or by a text ' +
    'property that holds one. Dates take date_format, also text properties with ISO 8601 dates.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/variables'], tool: true },
  input: z.strictObject({}),
  output: z.object({ variables: z.array(ReadableVariable) }),
  handle: async (work) => {
    const sources = await readSources(work);
    return {
      variables: [...sources.values()].map((source) => ({
        variable: source.path,
        name: source.name,
        label: source.label,
        group: source.group,
        type: source.type,
        channels: [...source.channels],
        requires_webinar: source.requires_webinar,
        example: source.example,
      })),
    };
  },
});
