import { auditEvents, refusalReasons } from '../../functions/domain/records/audit-events.ts';
import { type AuditEntry, changeOf, eventText, reasonText, resultOf } from './audit-entry.ts';

const entry: AuditEntry = {
  audit_id: 'a-1',
  time: '2026-03-02T09:30:00.000Z',
  event: 'api_key.added',
  request_id: 'r-1',
  after: { role: 'Viewer' },
};

test('events and reasons have texts', () => {
  expect(eventText('api_key.added')).toBe('API key added');
  expect(eventText('node.restored')).toBe('Node restored');
  expect(auditEvents.map(eventText).filter((text) => /_|\.|undefined/.test(text))).toEqual([]);
  // Each in words of its own: none is the name in the API.
  expect(refusalReasons.map(reasonText).filter((text) => !text.includes(' '))).toEqual([]);
});

test('only changes of objects are object changes', () => {
  expect(changeOf({ ...entry, event: 'node.changed', before: { distro: 'a' }, after: { distro: 'b' } })).toEqual({
    action: 'changed',
    before: { distro: 'a' },
    after: { distro: 'b' },
  });
  expect(changeOf({ ...entry, event: 'node.restored', after: { distro: 'b' } })).toEqual({
    action: 'added',
    after: { distro: 'b' },
  });
  for (const event of ['service.added', 'agent.removed', 'node.changed'] as const)
    expect(changeOf({ ...entry, event })).toMatchObject({ action: event.split('.')[1] });
  expect(changeOf(entry)).toBeUndefined();
  expect(resultOf(entry)).toMatchObject([{ path: 'role', after: 'Viewer' }]);
});
