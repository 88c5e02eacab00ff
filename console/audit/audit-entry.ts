import type * as z from 'zod/mini';
import type { auditEntrySchema } from '../../functions/domain/records/audit-entry.ts';
import { type Difference, differencesAt } from '../model/differences.ts';
import { labelOf } from '../ui/words.ts';

export type AuditEntry = z.output<typeof auditEntrySchema>;

/** `api_key.added` in words: "API key added". */
export function eventText(event: string): string {
  const [kind = '', action = ''] = event.split('.');
  return `${labelOf(kind)} ${action.replaceAll('_', ' ')}`;
}

export const isRefusal = ({ event }: Pick<AuditEntry, 'event'>): boolean => event.endsWith('.refused');

const reasons: Readonly<Record<string, string>> = {
  wrong_password: 'Wrong password or user name',
  invalid_key: 'Unknown key',
  expired_key: 'The key has expired',
  disabled_key: 'The key is disabled',
  superseded_secret: 'The secret was superseded',
  invalid_token: 'Unknown enrolment token',
  other_node: 'The token is for another node',
  role: 'The role is not sufficient',
  scope: 'Beyond what the key may do',
  rate_limit: 'Too many requests',
};

export const reasonText = (reason: string): string => reasons[reason] ?? labelOf(reason);

/** The change of a node, a service or an agent in an entry; undefined for other entries. */
export function changeOf({ event, before, after }: AuditEntry) {
  const [kind, action] = event.split('.');
  if (kind !== 'node' && kind !== 'service' && kind !== 'agent') return undefined;
  if (action !== 'added' && action !== 'changed' && action !== 'removed' && action !== 'restored') return undefined;
  const isReturn = action === 'restored';
  return {
    action: isReturn ? 'added' : action,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  } as const;
}

/** The new fields of a key, a token or a session. */
export const resultOf = ({ after = {} }: AuditEntry): Difference[] =>
  Object.entries(after).flatMap(([field, value]) => differencesAt(field, { after: value }));
