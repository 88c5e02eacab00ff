/** The replies of stored records: api-key.ts, audit-entry.ts, change.ts, cleanup-report.ts, enrolment-token.ts, upsert-reply.ts. */
import { apiKey } from '../../tests/support/credentials.ts';
import type { Change } from '../store/history/change-record.ts';
import { accessEventKey, refusalKey } from '../store/table/keys.ts';
import { toApiKeyReply } from './api-key.ts';
import { toAuditEntryReply } from './audit-entry.ts';
import { toChangeReply } from './change.ts';
import { toCleanupReply } from './cleanup-report.ts';
import { toEnrolmentTokenReply } from './enrolment-token.ts';
import { toReconciliationReply } from './reconciliation.ts';
import { toUpsertReply } from './upsert-reply.ts';

const TIME = '2026-05-01T10:00:00.000Z';
const MILLISECONDS = Date.parse(TIME);
const SECONDS = MILLISECONDS / 1000;
const actor = { kind: 'api_key' as const, id: 'k', name: 'n' };

test('a key is shown without its secrets, with RFC 3339 times', () => {
  const times = { expires_at: SECONDS, last_used_at: SECONDS + 1, previous_expires_at: SECONDS + 2 };
  const secret = {
    successor_hash: 'h',
    superseded: true,
    superseded_by: 'key',
    first_use_counts: true,
    renewed_at: TIME,
  } as const;
  const { kind: _, ...shown } = apiKey({
    node_id: 'n',
    rate_limit_per_minute: 5,
    rotated_at: TIME,
    allowed_addresses: ['a'],
  });
  expect(toApiKeyReply({ ...shown, kind: 'api_key', ...times, ...secret })).toEqual({
    ...shown,
    ...{ expires_at: TIME, last_used_at: '2026-05-01T10:00:01.000Z', previous_expires_at: '2026-05-01T10:00:02.000Z' },
  });
  expect(toApiKeyReply(apiKey())).not.toHaveProperty('expires_at');
});

test('an enrolment token is shown with RFC 3339 times and the lifetime of its key', () => {
  const token = {
    ...{ token_id: 't', name: 'n', prefix: 'p', created_at: TIME, created_by: actor, expires_at: SECONDS },
  };
  expect(toEnrolmentTokenReply({ ...token, key_seconds: 86_400 })).toEqual({
    ...token,
    expires_at: TIME,
    key_time_to_live: '1d',
  });
  expect(toEnrolmentTokenReply(token)).not.toHaveProperty('key_time_to_live');
});

const change = (more: Partial<Change>): Change => ({
  ...{ change_id: '0id', time: TIME, actor, request_id: 'r', kind: 'node', id: 'x', action: 'changed', revision: 2 },
  ...more,
});

test('a change is shown without internal fields and without the change before it', () => {
  const shown = toChangeReply(
    change({ previous: 'p', before: { a: 1, registered: true }, after: { registered: true, a: 2 } }),
  );
  expect(shown).toEqual({ ...change({}), before: { a: 1 }, after: { a: 2 } });
});

test('an add that follows a removal is a restoration', () => {
  expect(toChangeReply(change({ action: 'added', previous: 'p' }))).toMatchObject({ restored: true });
  for (const other of [
    change({ action: 'added' }),
    change({ previous: 'p' }),
    change({ action: 'removed', previous: 'p' }),
  ])
    expect(toChangeReply(other)).not.toHaveProperty('restored');
});

describe('an audit entry', () => {
  test('of a change has its event and its subject, with the name if the change contains it', () => {
    const entry = (more: Partial<Change>) => toAuditEntryReply({ source: 'change', record: change(more) });
    expect(entry({})).toMatchObject({ audit_id: '0id', event: 'node.changed', subject: { kind: 'node', id: 'x' } });
    expect(entry({}).subject).not.toHaveProperty('name');
    expect(entry({ after: { node_name: 'n' }, action: 'added' })).toMatchObject({
      event: 'node.added',
      subject: { name: 'n' },
    });
    expect(entry({ action: 'added', previous: 'p' }).event).toBe('node.restored');
    expect(entry({ kind: 'service', action: 'removed', before: { service_name: 's' } })).toMatchObject({
      ...{ event: 'service.removed', subject: { kind: 'service', id: 'x', name: 's' } },
    });
    expect(entry({ before: { node_name: 'old' }, after: { node_name: 'new' } }).subject?.name).toBe('new');
  });

  test('of an access event has its own id, time, source and result', () => {
    const { sk } = accessEventKey('session.added', MILLISECONDS, 'abcdef');
    const by = { actor_kind: 'api_key' as const, actor_id: 'k', actor_name: 'n', request_id: 'r' };
    const record = { sk, event: 'enrolment_token.used' as const, ...by, subject_id: 't', subject_name: 'hosts' };
    const entry = {
      ...{ audit_id: `A${sk}`, time: TIME, event: 'enrolment_token.used', actor, request_id: 'r' },
      subject: { kind: 'enrolment_token', id: 't', name: 'hosts' },
    };
    expect(toAuditEntryReply({ source: 'access', record })).toEqual(entry);
    const more = { source_ip: '192.0.2.7', after: { node_id: 'x' } };
    expect(toAuditEntryReply({ source: 'access', record: { ...record, ...more } })).toEqual({ ...entry, ...more });
  });

  test('of refusals has their number, their reason, and their first and last time', () => {
    const { sk } = refusalKey(MILLISECONDS, 'digest');
    const counts = { count: 7, first_at: MILLISECONDS + 1000, last_at: MILLISECONDS + 2000 };
    const record = { sk, event: 'call.refused' as const, reason: 'role' as const, request_id: 'r', ...counts };
    const entry = {
      ...{ audit_id: `R${sk}`, time: TIME, event: 'call.refused', request_id: 'r', reason: 'role', count: 7 },
      ...{ first_time: '2026-05-01T10:00:01.000Z', last_time: '2026-05-01T10:00:02.000Z' },
    };
    expect(toAuditEntryReply({ source: 'refusals', record })).toEqual(entry);
    const common = {
      ...{ actor_kind: 'api_key' as const, actor_id: 'k', actor_name: 'n', source_ip: '192.0.2.7' },
      ...{ subject_kind: 'endpoint', subject_id: 'e', subject_name: 'GET /' },
    };
    expect(toAuditEntryReply({ source: 'refusals', record: { ...record, ...common } })).toEqual({
      ...{ ...entry, actor, source_ip: '192.0.2.7', subject: { kind: 'endpoint', id: 'e', name: 'GET /' } },
    });
  });
});

test('a cleanup reply contains the removed nodes, and the kept ones with their reasons', () => {
  const due = { nodeId: 'x', nodeName: 'n', lastSeen: undefined, since: new Date(MILLISECONDS) };
  const seen = { ...due, lastSeen: new Date(MILLISECONDS - 1000) };
  expect(
    toCleanupReply({
      ...{ due: [due, seen], objects: 3, thresholdExceeded: true, next: undefined },
      ...{ removed: [{ due, removalId: 'r', objects: 2 }], kept: [{ due: seen, reason: 'reported' as const }] },
    }),
  ).toEqual({
    ...{ threshold_exceeded: true, objects: 3 },
    removed: [{ node_id: 'x', node_name: 'n', due_since: TIME, removal_id: 'r', objects: 2 }],
    kept: [
      { node_id: 'x', node_name: 'n', last_seen: '2026-05-01T09:59:59.000Z', due_since: TIME, reason: 'reported' },
    ],
  });
});

test('a reconciliation reply contains its progress, without an empty reason', () => {
  const reconciliation = {
    ...{ plan_id: 'p', state: 'applying' as const, total: 3, done: 1, failed: 1, actor, request_id: 'r' },
    ...{
      created_at: TIME,
      expires_at: TIME,
      failures: [{ item: { action: 'add', kind: 'node' }, message: 'm' }],
      reason: '',
    },
  };
  expect(toReconciliationReply(reconciliation)).toEqual({
    ...{ plan_id: 'p', state: 'applying', progress: { total: 3, done: 1, failed: 1, skipped: 0 } },
    ...{ created_at: TIME, expires_at: TIME, failures: [{ item: { action: 'add', kind: 'node' }, message: 'm' }] },
  });
  const cancelled = { cancelled_by: actor, cancelled_at: TIME, reason: 'why' };
  expect(toReconciliationReply({ ...reconciliation, ...cancelled, skipped: 2 })).toMatchObject({
    ...cancelled,
    progress: { skipped: 2 },
  });
});

test('an upsert replies with 201 and the path only for an added object', () => {
  // Internal fields are in no reply.
  const object = { id: 'x', revision: 2, last_change: 'c', registered: true } as any;
  const pathOf = ({ id }: { id: string }) => `/v1/nodes/${id}`;
  const reply = (outcome: 'added' | 'changed' | 'unchanged') => toUpsertReply({ stored: { object }, outcome }, pathOf);
  const body = (outcome: string) => ({ text: `{"id":"x","revision":2,"outcome":"${outcome}"}`, revision: 2 });
  expect(reply('added')).toEqual({ status: 201, body: body('added'), location: '/v1/nodes/x' });
  for (const outcome of ['changed', 'unchanged'] as const)
    expect(reply(outcome)).toEqual({ status: 200, body: body(outcome) });
});
