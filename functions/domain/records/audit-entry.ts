import * as z from 'zod/mini';
import { described, maker, time } from '../access/api-key.ts';
import { auditEvents, refusalReasons } from './audit-events.ts';
import { codes } from '../fields/list-query.ts';

const some = (description: string) => z.optional(z.record(z.string(), z.unknown()).check(z.meta({ description })));

const subject = z.strictObject({
  kind: described('`node`, `service`, `agent`, `api_key`, `enrolment_token`, `session`, `user` or `endpoint`.'),
  id: described('Its id; of a user the user name, of an endpoint the operation id.'),
  name: z.optional(described('Its name, where the entry knows it; of an endpoint method and path.')),
});

export const auditEvent = z.enum(auditEvents);

/** An audit entry: a change, an access event, or refused calls. */
export const auditEntrySchema = z
  .strictObject({
    audit_id: described('Id of the entry; of a change its change_id.'),
    time: time('When it was; of refusals the minute in which they are counted.'),
    event: auditEvent.check(z.meta({ description: 'What happened.' })),
    actor: z.optional(maker.check(z.meta({ description: 'Whose doing it was; absent where nobody was recognised.' }))),
    request_id: described('The request that did it, as in its reply and in the log; of refusals the last one.'),
    subject: z.optional(
      subject.check(z.meta({ description: 'What it was done to; of refusals what was called, or as whom.' })),
    ),
    revision: z.optional(
      z.int().check(z.minimum(1), z.meta({ description: 'Of a change: the revision that it led to.' })),
    ),
    before: some('Of a change, as in `Change`.'),
    after: some('Of a change, as in `Change`; of a key, token or session what it came to: role, end, limit, node.'),
    reason: z.optional(
      z.enum(refusalReasons).check(
        z.meta({
          description:
            'Of refusals: `wrong_password` (or user name), `invalid_key` (none that there is), `expired_key`, ' +
            '`invalid_token` and `other_node` (of an enrolment), `role` (or kind of caller), `scope` (of a Registrar), ' +
            '`superseded_secret` (a secret that has a successor tried to rotate its key) and `rate_limit`.',
        }),
      ),
    ),
    source_ip: z.optional(
      described(
        'Of refusals, and of what was done to a key, a token or a session: the address that it came from, as the gateway ' +
          'sees it; absent when refusals came from too many different ones.',
      ),
    ),
    count: z.optional(
      z.int().check(z.minimum(1), z.meta({ description: 'Of refusals: how many in that minute, at least.' })),
    ),
    first_time: z.optional(time('Of refusals: the first of them.')),
    last_time: z.optional(time('Of refusals: the last of them.')),
  })
  .register(z.globalRegistry, { id: 'Audit_entry', description: 'Who did what, or was not let do it.' });

const moment = (description: string) => z.optional(z.iso.datetime({ offset: true }).check(z.meta({ description })));

export const auditFilters = {
  actor_id: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        z.meta({ description: 'Only what this key, session, token or user did or was refused.' }),
      ),
  ),
  object_id: z.optional(
    z.string().check(
      z.minLength(1),
      z.maxLength(128),
      z.meta({
        description: 'Only what was done to the object, key, token, session, user or endpoint with this id.',
      }),
    ),
  ),
  event: z.optional(auditEvent.check(z.meta({ description: `Only this: ${codes(auditEvents)}.` }))),
  since: moment('Only from this time on (RFC 3339).'),
  until: moment('Only before this time (RFC 3339).'),
};
