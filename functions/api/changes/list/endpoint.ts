import * as z from 'zod/mini';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { text } from '../../../../shared/http/text.ts';
import { changeSchema } from '../../../domain/records/change.ts';
import { CHANGE_DAYS } from '../../../domain/records/retention.ts';
import { numberUpTo } from '../../../domain/fields/list-query.ts';

/** Longer than any cursor: 500 names of seven characters and those of the last millisecond of a page, in base 64. */
const MAX_CURSOR = 7000;

/** Less than the time limit of a request, minus the time of the last read. */
const MAX_WAIT_SECONDS = 20;

export const endpoint = defineEndpoint({
  id: 'listChanges',
  folder: 'changes/list',
  tag: 'Changes',
  method: 'GET',
  path: '/v1/changes',
  summary: 'Follow the changes',
  description:
    'Everything that is added, changed or removed, each once, in an order in which nothing comes before what it needed ' +
    'to be there; changes of one object come by revision. Ask again with `next` as `since`, for as long as you like: ' +
    `nothing is missed. Changes are kept for ${CHANGE_DAYS} days; a cursor from before is answered with 410, and then the inventory ` +
    'has to be read anew.',
  role: 'Viewer',
  access: 'read',
  params: z.strictObject({}),
  query: z.strictObject({
    since: z.optional(
      text({ max: MAX_CURSOR }).check(
        z.meta({
          description:
            'The `next` of the page before. `now` gives a cursor and no change: ask for it first, then read the inventory, then ' +
            'go on from it; changes of the last 20 seconds before come as well, since lists may lag. Without `since` the ' +
            'oldest changes come first.',
        }),
      ),
    ),
    limit: z._default(numberUpTo(1, 1000, 'Most changes in one reply.'), 100),
    wait: z._default(
      numberUpTo(0, MAX_WAIT_SECONDS, 'Seconds to wait for a change when there is none; not with `since=now`.'),
      0,
    ),
  }),
  reply: {
    status: 200,
    schema: z.strictObject({
      changes: z.array(changeSchema).check(z.meta({ description: 'The changes since then, in order.' })),
      next: z
        .string()
        .check(z.meta({ description: 'The cursor to go on from. Keep it once the changes are taken in.' })),
      more: z.boolean().check(z.meta({ description: 'There are more changes already: ask again at once.' })),
    }),
  },
  errors: ['gone'],
});
