import { StaleRead } from '../../../shared/db/contention.ts';
import { transact } from '../../../shared/db/transact.ts';
import { contextOf } from '../../../tests/support/store.ts';
import { findForcedRemoval, forcedRemovalStep, listForcedRemovals } from './forced-removals.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const now = new Date('2026-05-01T10:00:00Z');
const writeContext = contextOf({
  actor: { kind: 'api_key', id: 'key', name: 'k' },
  requestId: 'request',
  clock: () => now,
});
const begin = (kind: 'node' | 'service', id: string, removalId: string) =>
  transact(table, [forcedRemovalStep({ kind, id }, { writeContext, removalId })]);

test('a forced removal is found by its object, with actor, request and time', async () => {
  await begin('node', 'x', 'first');
  const expected = {
    kind: 'node',
    id: 'x',
    removalId: 'first',
    actor: writeContext.actor,
    requestId: 'request',
    begunAt: now,
  };
  expect(await findForcedRemoval(table, 'node', 'x')).toEqual(expected);
  expect(await findForcedRemoval(table, 'service', 'x')).toBeUndefined();
  expect(await listForcedRemovals(table)).toEqual([expected]);
});

test('a removal begins once, and another request finds the first', async () => {
  await begin('service', 'y', 'first');
  await expect(begin('service', 'y', 'second')).rejects.toBeInstanceOf(StaleRead);
  expect(await findForcedRemoval(table, 'service', 'y')).toMatchObject({ removalId: 'first' });
});
