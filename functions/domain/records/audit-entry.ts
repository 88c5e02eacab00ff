import * as z from 'zod/mini';
import { described, maker, time } from '../access/api-key.ts';
import { auditEvents, refusalReasons } from './audit-events.ts';
import { asStoredIds } from '../fields/common-fields.ts';
import { openEnum } from '../fields/open-enum.ts';

const some = (description: string) => z.optional(z.record(z.string(), z.unknown()).check(z.meta({ description })));

const subject = z.strictObject({
  kind: described(
    '`node`, `service`, `agent`, `api_key`, `enrolment_token`, `service_account`, `session`, `annotation`, `user`, `role_binding`, `silence`, `saved_filter` or `endpoint`.',
  ),
  id: described('Its id; the user name, or the operation id of an endpoint.'),
  name: z.optional(described('Its name, if known; for an endpoint, method and path.')),
});

/** An audit entry: a change, an access event, or refused calls. */
export const auditEntrySchema = z
  .strictObject({
    audit_id: described('Id of the entry; the change_id of a change.'),
    time: time('Time of the event; for refusals, the minute of the count.'),
    event: openEnum(auditEvents, 'Type of the event.'),
    actor: z.optional(maker.check(z.meta({ description: 'The caller; absent if not authenticated.' }))),
    request_id: described('Id of the request, as in its reply and the log; for refusals, of the last one.'),
    subject: z.optional(
      subject.check(z.meta({ description: 'The object of the event; for refusals, the endpoint or the user.' })),
    ),
    revision: z.optional(z.int().check(z.minimum(1), z.meta({ description: 'Of a change: the new revision.' }))),
    before: some('Of a change, as in `Change`.'),
    after: some(
      'Of a change, as in `Change`; of a key, token, session or user, the result: role, expiry, limit, node.',
    ),
    reason: z.optional(
      openEnum(
        refusalReasons,
        'Of refusals: `wrong_password`, `expired_key`, `role`, `scope` (of a Registrar), `rate_limit` and others; the document ' +
          'audit.md says what each means.',
      ),
    ),
    source_ip: z.optional(
      described(
        'Of refusals and of events of a key, token or session: the source address, as seen by the gateway; absent if ' +
          'refusals had too many addresses.',
      ),
    ),
    count: z.optional(
      z.int().check(z.minimum(1), z.meta({ description: 'Of refusals: the minimum number in that minute.' })),
    ),
    first_time: z.optional(time('Of refusals: time of the first.')),
    last_time: z.optional(time('Of refusals: time of the last.')),
  })
  .register(z.globalRegistry, { id: 'Audit_entry', description: 'An event or counted refusals.' });

const moment = (description: string) => z.optional(z.iso.datetime({ offset: true }).check(z.meta({ description })));

export const auditFilters = {
  actor_id: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        asStoredIds(),
        z.meta({ description: 'Only events of this key, session, token or user.' }),
      ),
  ),
  object_id: z.optional(
    z.string().check(
      z.minLength(1),
      z.maxLength(128),
      asStoredIds(),
      z.meta({
        description: 'Only events about the subject with this id.',
      }),
    ),
  ),
  event: z.optional(z.enum(auditEvents).check(z.meta({ description: 'Only these events.' }))),
  since: moment('Only at or after this time (RFC 3339).'),
  until: moment('Only before this time (RFC 3339).'),
};
