import * as z from 'zod/mini';
import { defineEndpoint } from '../../../contract/endpoint.ts';
import { text } from '../../../../shared/core/text.ts';
import { changeSchema, recordKinds } from '../../../domain/records/change.ts';
import { CHANGE_DAYS } from '../../../domain/records/retention.ts';
import { numberUpTo, wordList } from '../../../domain/fields/list-query.ts';

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
  summary: 'List changes',
  description:
    'Every add, change and removal, exactly once and in causal order; changes of one object are in order of ' +
    'revision. To follow the feed, pass `next` as `since` in the following request. Changes are kept for ' +
    `${CHANGE_DAYS} days by default. For an older cursor the reply is 410; read the inventory again.`,
  role: 'Viewer',
  limit: 'unaffected',
  gateway: true,
  access: 'read',
  query: z.strictObject({
    since: z.optional(
      text({ max: MAX_CURSOR }).check(
        z.meta({
          description:
            'The `next` of the previous page. `now` returns a cursor without changes: request it before you read the ' +
            'inventory. The feed repeats changes of the last 20 seconds. Default: the oldest changes.',
        }),
      ),
    ),
    kinds: z.optional(wordList(recordKinds, 'Default: all but `state`. Only changes of these kinds')),
    limit: z._default(numberUpTo(1, 1000, 'Maximum number of changes in the reply.'), 100),
    wait: z._default(
      numberUpTo(0, MAX_WAIT_SECONDS, 'Seconds to wait if there are no changes. Not allowed with `since=now`.'),
      0,
    ),
  }),
  reply: {
    status: 200,
    schema: z.strictObject({
      changes: z.array(changeSchema).check(z.meta({ description: 'The changes, in order.' })),
      next: z
        .string()
        .check(z.meta({ description: 'The cursor of the next page. Store it after processing the changes.' })),
      more: z.boolean().check(z.meta({ description: 'True if more changes are available now.' })),
    }),
  },
  errors: ['gone'],
});
