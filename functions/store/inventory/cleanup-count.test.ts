import { randomUUID } from 'node:crypto';
import { addAll, node, pmmAgent } from '../../../tests/support/store.ts';
import { idOf } from '../entities/entity.ts';
import { newCounter } from './cleanup-count.ts';
import type { DueNode } from './cleanup-due.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
/** Eight nodes, of which the last one has two agents: ten objects. */
let nodes: string[];
beforeAll(async () => {
  const added = Array.from({ length: 8 }, () => node());
  const last = added.at(-1)!;
  await addAll(table, ...added, pmmAgent(last), pmmAgent(last));
  nodes = added.map(idOf);
});

const due = (...ids: (string | undefined)[]) => ids.map((nodeId = '') => ({ nodeId, since: new Date(0) }) as DueNode);

test('the threshold is a share of all objects, and one more exceeds it', async () => {
  const counter = newCounter(table, 0, 20);
  expect([await counter.add(due(nodes[0], nodes[1])), counter.objects, await counter.isTooMany()]).toEqual([
    ...[false, 2, false],
  ]);
  expect(await counter.add(due(nodes[2], nodes[3]))).toBe(true);
  expect([counter.objects, await counter.isTooMany()]).toEqual([4, true]);
});

test('a node counts with everything that is removed with it', async () => {
  const counter = newCounter(table, 0, 20);
  expect(await counter.add(due(nodes[7]))).toBe(true);
  expect(counter.objects).toBe(3);
});

test('objects that earlier calls counted are added', async () => {
  expect(await newCounter(table, 2, 20).isTooMany()).toBe(false);
  expect(await newCounter(table, 3, 20).isTooMany()).toBe(true);
  expect(await newCounter(table, 2, 20).add(due(nodes[0]))).toBe(true);
});

test('a removed node counts zero', async () => {
  const counter = newCounter(table, 0, 20);
  expect([await counter.add(due(randomUUID())), counter.objects]).toEqual([false, 0]);
});

test('a threshold of 0 allows no removal, and one of 100 allows all', async () => {
  expect(await newCounter(table, 0, 0).add(due(nodes[0]))).toBe(true);
  const counter = newCounter(table, 0, 100);
  expect([await counter.add(due(...nodes)), counter.objects]).toEqual([false, 10]);
});
