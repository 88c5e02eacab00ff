import { contextOf } from '../../../tests/support/store.ts';
import { timeOfSortKey } from '../table/keys.ts';
import { ABSENT } from '../../../shared/db/conditions.ts';
import { accessStep, toAccessEvent } from './access-events.ts';

const now = new Date('2026-05-01T10:00:00.900Z');
const actor = { kind: 'session' as const, id: 'session', name: 'admin' };
const context = contextOf({ actor, requestId: 'request', clock: () => now });
const subject = { id: 'key', name: 'automation' };

function itemOf(after: Record<string, unknown> | undefined, sourceIp: string | undefined) {
  const event = { event: 'api_key.added' as const, subject, ...(after === undefined ? {} : { after }) };
  const step = accessStep(event, { ...context, sourceIp });
  if (!('put' in step)) throw new Error('not a put');
  return { step, item: step.put };
}

test('an event contains the actor, the request, the subject, the source and the result', () => {
  const { item } = itemOf({ role: 'Viewer' }, '192.0.2.7');
  expect(toAccessEvent(item)).toEqual({
    sk: item['sk'],
    event: 'api_key.added',
    actor_kind: 'session',
    actor_id: 'session',
    actor_name: 'admin',
    request_id: 'request',
    subject_id: 'key',
    subject_name: 'automation',
    source_ip: '192.0.2.7',
    after: { role: 'Viewer' },
  });
  expect(timeOfSortKey(String(item['sk']))).toBe(now.getTime());
});

test('unknown values are absent', () => {
  const { item } = itemOf(undefined, undefined);
  expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['source_ip']));
  expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['after']));
});

test('events of the same millisecond have distinct keys, and are kept for 30 days', () => {
  const [first, second] = [itemOf(undefined, undefined), itemOf(undefined, undefined)];
  expect(first.item['sk']).not.toBe(second.item['sk']);
  expect(first.item['ttl']).toBe(Math.ceil(now.getTime() / 1000) + 30 * 86_400);
  expect(first.step).toMatchObject({ exclusive: true, condition: ABSENT });
});
