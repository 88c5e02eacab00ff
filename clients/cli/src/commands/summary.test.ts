import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './summary.ts';

const counts = (total: number) => ({ total, by_state: { live: total, stale: 0, offline: 0, never_seen: 0 } });

const totals = { nodes: counts(4), services: counts(3), agents: counts(2), clusters: { total: 1 } };

async function summary(more: object, options: object = {}) {
  const reply = { ...totals, attention: [], complete: true, ...more };
  const call = commandCall({ options: { ...options }, answer: () => reply });
  await run(call);
  return { reply, out: call.out(), err: call.err() };
}

const rows = (text: string) => text.split('\n').map((line) => line.split(/ {3,}/));

test('shows the totals of each kind, and no findings if there are none', async () => {
  const { out, err } = await summary({});
  expect(rows(out)).toEqual([
    ['KIND', 'TOTAL', 'LIVE', 'STALE', 'OFFLINE', 'NEVER_SEEN'],
    ['nodes', '4', '4', '0', '0', '0'],
    ['services', '3', '3', '0', '0', '0'],
    ['agents', '2', '2', '0', '0', '0'],
    ['clusters', '1', '-', '-', '-', '-'],
    [''],
  ]);
  expect(err).toBe('');
});

test('shows each finding with its places, and its examples by name, or by id without one', async () => {
  const finding = { kind: 'node', count: 3, examples: [{ id: 'n1', name: 'db-1' }, { id: 'n2' }] };
  const { out } = await summary({
    attention: [
      { reason: 'offline', ...finding, places: [{ value: 'eu', count: 2 }] },
      { reason: 'stale', ...finding, examples: [] },
    ],
  });
  expect(rows(out).slice(5)).toEqual([
    [''],
    ['attention:'],
    ['REASON', 'KIND', 'COUNT', 'WHERE', 'EXAMPLES'],
    ['offline', 'node', '3', '2 in eu', expect.stringMatching(/^db-1, ?n2$/)],
    ['stale', 'node', '3', '-', '-'],
    [''],
  ]);
});

test('shows a single finding too', async () => {
  const { out } = await summary({ attention: [{ reason: 'offline', kind: 'node', count: 1, examples: [] }] });
  expect(rows(out).at(-2)).toEqual(['offline', 'node', '1', '-', '-']);
});

test('says that the first count continues', async () => {
  expect((await summary({ complete: false })).err).toBe('The first count continues: ask again later.\n');
});

test('programs get the reply of the server', async () => {
  const { reply, out } = await summary({}, { output: 'json' });
  expect(JSON.parse(out)).toEqual(reply);
});
