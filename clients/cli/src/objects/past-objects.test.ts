import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { objectAsOf, timeOf } from './past-objects.ts';

test('a duration is a time ago, and other texts are sent to the server', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  expect(timeOf('2h', now)).toBe('2026-05-01T08:00:00.000Z');
  expect([timeOf('1d', now), timeOf('2w', now)]).toEqual(['2026-04-30T10:00:00.000Z', '2026-04-17T10:00:00.000Z']);
  expect(timeOf('30', now)).toBe('2026-05-01T09:59:30.000Z');
  expect(timeOf('2026-04-01', now)).toBe('2026-04-01');
});

const removed = [
  { kind: 'service', id: 's', name: 'db-1', change_id: 'c1' },
  { kind: 'node', id: 'n2', name: 'db-1', change_id: 'c2' },
];

/** The object of `as-of`, with these present nodes and this reply. */
async function asOf(nodes: readonly object[], reply: object, name = 'db-1') {
  const call = commandCall({
    answer: ({ path }) => {
      if (path.startsWith('/v1/nodes?')) return { nodes };
      if (path.startsWith('/v1/removed')) return { removals: [{ objects: removed }] };
      return path.includes('time=') ? reply : refusal(404);
    },
  });
  const object = objectAsOf(await call.connect(), 'node', name, 't');
  await object.catch(() => undefined);
  return { object, path: call.sent.at(-1)!.path };
}

test('an object is found by its present name, or by that of its removal', async () => {
  const reply = { presence: 'present', object: { node_name: 'old' } };
  const present = await asOf([{ node_id: 'n1', node_name: 'db-1' }], reply);
  expect([await present.object, present.path]).toEqual([{ node_name: 'old' }, '/v1/as-of/node/n1?time=t']);
  const gone = await asOf([], reply);
  expect([await gone.object, gone.path]).toEqual([{ node_name: 'old' }, '/v1/as-of/node/n2?removal=c2&time=t']);
  await expect((await asOf([], reply, 'never')).object).rejects.toMatchObject({ exit: 'missing' });
});

test.each([
  [{ presence: 'not_added', until: 'u' }, 'The node db-1 was added later, at u.'],
  [{ presence: 'removed', from: 'f' }, 'The node db-1 was removed at f.'],
  [{ presence: 'unknown', until: 'u' }, 'The node db-1 of t is not known: its kept changes begin at u.'],
])('%j is the reason why there is none', async (reply, message) => {
  const { object } = await asOf([{ node_id: 'n1', node_name: 'db-1' }], reply);
  await expect(object).rejects.toMatchObject({ exit: 'missing', message });
});
