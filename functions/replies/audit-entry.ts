import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type * as z from 'zod/mini';
import type { auditEntrySchema } from '../domain/records/audit-entry.ts';
import { toChangeReply } from './change.ts';
import type { StoredAccessEvent } from '../store/audit/access-events.ts';
import type { AuditRecord } from '../store/audit/query.ts';
import type { Change } from '../store/history/change-record.ts';
import { timeOfSortKey } from '../store/table/keys.ts';
import type { StoredRefusals } from '../store/audit/refusals.ts';

type AuditReplyEntry = z.input<typeof auditEntrySchema>;

/** The ids of changes begin with a digit or a lower-case letter (their partition), so these prefixes are unique. */
const ID_PREFIX = { access: 'A', refusals: 'R' } as const;

/** The name of the changed object, if the change contains it: for an add, a removal, and a change of the name. */
function nameIn({ before, after }: Change): { name?: string } {
  const fields = { ...before, ...after };
  const name = fields['node_name'] ?? fields['service_name'];
  return typeof name === 'string' ? { name } : {};
}

function ofChange(change: Change): AuditReplyEntry {
  const { change_id, kind, id, action, restored, ...shown } = toChangeReply(change);
  const event = `${kind}.${restored ? 'restored' : action}` as const;
  return { ...shown, audit_id: change_id, event, subject: { kind, id, ...nameIn(change) } };
}

function ofAccess(stored: StoredAccessEvent): AuditReplyEntry {
  const { event, source_ip, after } = stored;
  const [kind = ''] = event.split('.');
  return {
    audit_id: `${ID_PREFIX.access}${stored.sk}`,
    time: timeTextOfMs(timeOfSortKey(stored.sk)),
    event,
    actor: { kind: stored.actor_kind, id: stored.actor_id, name: stored.actor_name },
    request_id: stored.request_id,
    subject: { kind, id: stored.subject_id, name: stored.subject_name },
    ...(source_ip === undefined ? {} : { source_ip }),
    ...(after === undefined ? {} : { after }),
  };
}

function ofRefusals(stored: StoredRefusals): AuditReplyEntry {
  const { actor_kind: kind, actor_id: id, actor_name: name, source_ip } = stored;
  const { subject_kind, subject_id, subject_name } = stored;
  const isKnown = kind !== undefined && id !== undefined && name !== undefined;
  const hasSubject = subject_kind !== undefined && subject_id !== undefined && subject_name !== undefined;
  return {
    audit_id: `${ID_PREFIX.refusals}${stored.sk}`,
    time: timeTextOfMs(timeOfSortKey(stored.sk)),
    event: stored.event,
    ...(isKnown ? { actor: { kind, id, name } } : {}),
    request_id: stored.request_id,
    ...(hasSubject ? { subject: { kind: subject_kind, id: subject_id, name: subject_name } } : {}),
    reason: stored.reason,
    ...(source_ip === undefined ? {} : { source_ip }),
    count: stored.count,
    first_time: timeTextOfMs(stored.first_at),
    last_time: timeTextOfMs(stored.last_at),
  };
}

export function toAuditEntryReply(record: AuditRecord): AuditReplyEntry {
  switch (record.source) {
    case 'change':
      return ofChange(record.record);
    case 'access':
      return ofAccess(record.record);
    case 'refusals':
      return ofRefusals(record.record);
  }
}
