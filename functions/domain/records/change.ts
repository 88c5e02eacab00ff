import * as z from 'zod/mini';
import { described, maker, time } from '../access/api-key.ts';
import { nextPageShape, numberUpTo, pageShape } from '../fields/list-query.ts';
import { idSchema } from '../fields/common-fields.ts';
import { CHANGE_DAYS } from './retention.ts';

const fields = (description: string) => z.optional(z.record(z.string(), z.unknown()).check(z.meta({ description })));

/** One change of one object, in the change feed and in histories. */
export const changeSchema = z
  .strictObject({
    change_id: described('Id of the change. A follower may get a change twice when it asks twice; the id tells.'),
    time: time('When it was made. Nothing has a time before that of what it needed to be there.'),
    actor: maker.check(z.meta({ description: 'Who made it.' })),
    request_id: described('The request that made it: the same in its reply and in the log.'),
    kind: z.enum(['node', 'service', 'agent']).check(z.meta({ description: 'What was changed.' })),
    id: idSchema.check(z.meta({ description: 'Id of the node, service or agent.' })),
    action: z.enum(['added', 'changed', 'removed']).check(z.meta({ description: 'What was done.' })),
    restored: z.optional(
      z.literal(true).check(z.meta({ description: 'Of an add: a restoration of what was removed, with the same id.' })),
    ),
    revision: z
      .int()
      .check(z.minimum(1), z.meta({ description: 'The revision that it led to; of a removal, the last one.' })),
    before: fields('Of a removal the whole object; of a change the fields that are different now, as they were.'),
    after: fields(
      'Of an add the whole object; of a change the fields that are different now. One that is only in `before` is gone.',
    ),
  })
  .register(z.globalRegistry, { id: 'Change', description: 'One change of one object.' });

/** Each change of a page is a separate read, and the reads are sequential. */
const MAX_HISTORY_PAGE = 50;

/** The common part of the contracts of all histories. */
export function historyOf(what: string) {
  return {
    description:
      `The changes of one ${what}, the last one first, for as long as they are kept: ${CHANGE_DAYS} days. What went away is ` +
      'in the change feed only.',
    role: 'Viewer',
    access: 'read',
    query: z.strictObject({
      page_size: z._default(numberUpTo(1, MAX_HISTORY_PAGE, 'Most changes in one reply.'), 20),
      page_token: pageShape.page_token,
    }),
    reply: {
      status: 200,
      schema: z.strictObject({
        changes: z.array(changeSchema).check(z.meta({ description: 'The changes of this page, the last one first.' })),
        ...nextPageShape,
      }),
    },
    errors: ['notFound'],
  } as const;
}
