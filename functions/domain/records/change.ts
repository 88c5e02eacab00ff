import * as z from 'zod/mini';
import { described, maker, time } from '../access/api-key.ts';
import { nextPageShape } from '../fields/list-page.ts';
import { numberUpTo, pageShape } from '../fields/list-query.ts';
import { idSchema } from '../fields/common-fields.ts';
import { objectKinds } from '../fields/object-kind.ts';
import { CHANGE_DAYS } from './retention.ts';
import { openEnum } from '../fields/open-enum.ts';

const fields = (description: string) => z.optional(z.record(z.string(), z.unknown()).check(z.meta({ description })));

/** The kinds of changes: of an object by its kind, and `state`, of the state of a node. */
export const recordKinds = [...objectKinds, 'state'] as const;

export type RecordKind = (typeof recordKinds)[number];

export const changeActions = ['added', 'changed', 'removed'] as const;

/** One change of one object, in the change feed and in histories. */
export const changeSchema = z
  .strictObject({
    change_id: described('Id of the change. A repeated request can return a change twice; use the id to detect this.'),
    time: time('Time of the change. Never before the changes that it depends on.'),
    actor: maker.check(z.meta({ description: 'The caller that made it.' })),
    request_id: described('Id of the request, as in its reply and the log.'),
    kind: openEnum(recordKinds, 'Kind of the object, or `state` of a node.'),
    id: idSchema.check(z.meta({ description: 'Id of the node, service or agent.' })),
    action: openEnum(changeActions, 'Type of the change.'),
    restored: z.optional(
      z.literal(true).check(z.meta({ description: 'Of an add: true if it restored a removed object.' })),
    ),
    revision: z.int().check(z.minimum(1), z.meta({ description: 'The new revision; of a removal, the last one.' })),
    before: fields('Of a removal, the whole object; of a change, the previous values of the fields that differ.'),
    after: fields(
      'Of an add, the whole object; of a change, the new values of the fields that differ. Fields only in `before` were cleared.',
    ),
  })
  .register(z.globalRegistry, { id: 'Change', description: 'One change of one object.' });

/** Each change of a page is a separate read, and the reads are sequential. */
const MAX_HISTORY_PAGE = 50;

/** The common part of the contracts of all histories. */
export function historyOf(what: string) {
  return {
    description:
      `The changes of one ${what}, newest first. Kept for ${CHANGE_DAYS} days by default. Removed objects are only in the change ` +
      'feed.',
    role: 'Viewer',
    limit: 'unaffected',
    access: 'read',
    query: z.strictObject({
      page_size: z._default(numberUpTo(1, MAX_HISTORY_PAGE, 'Maximum number of changes in the reply.'), 20),
      page_token: pageShape.page_token,
    }),
    reply: {
      status: 200,
      schema: z.strictObject({
        changes: z.array(changeSchema).check(z.meta({ description: 'The changes, newest first.' })),
        ...nextPageShape,
      }),
    },
    errors: ['notFound'],
  } as const;
}
