import { addAll, contextOf, node, service } from '../../../tests/support/store.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';
import { indexesAreBuilt } from '../../../tests/support/indexes.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import type { Position } from '../../../shared/db/page-token.ts';
import { idOf } from '../entities/entity.ts';
import { changeObject } from '../inventory/entities.ts';
import { removeObject } from '../inventory/remove.ts';
import { explain } from './explain.ts';
import { listNodes, type NodeFilters, nodeQuestion } from './list-nodes.ts';
import { listServices } from './list-services.ts';
import { planOf } from './plan.ts';

const { table } = useCheckedTable();

const writeContext = contextOf();
const reader = { scope: undefined, now: testTime() };

/** The names of all nodes that match, in pages of this size. */
async function names(filters: NodeFilters, size = 9): Promise<string[]> {
  const listedNames: string[] = [];
  let after: Position | undefined;
  do {
    const { objects, next } = await listNodes(table, filters, { size, after }, reader);
    listedNames.push(...objects.map((json) => (JSON.parse(json) as { node_name: string }).node_name));
    after = next;
  } while (after !== undefined);
  return listedNames;
}

const planFor = async (filters: NodeFilters) =>
  explain(await planOf(table, 'node', await nodeQuestion(table, filters, undefined), undefined));

test('a list by address reads the name claims at this address in pages, and follows each change', async () => {
  const shared = ['c', 'a', 'b'].map((name) => node({ node_name: `same-${name}`, address: 'shared.example' }));
  const [first, second, third] = shared;
  const moved = node({ node_name: 'moved', address: 'before.example', region: 'eu' });
  await addAll(table, ...shared, moved, node({ node_name: 'other', address: 'other.example' }));
  expect(await planFor({ address: 'shared.example' })).toBe('nodes: by_name; filter labels');
  expect(await names({ address: 'shared.example' })).toEqual(['same-a', 'same-b', 'same-c']);

  await indexesAreBuilt(table);
  expect(await planFor({ address: 'shared.example' })).toBe('nodes: references of 1 collections; filter labels');
  for (const size of [1, 2, 3])
    expect(await names({ address: 'shared.example' }, size)).toEqual(['same-a', 'same-b', 'same-c']);
  expect(await names({ selector: 'address in (before.example,other.example)' }, 1)).toEqual(['moved', 'other']);
  expect(await names({ selector: 'address=before.example', region: 'eu' })).toEqual(['moved']);
  expect(await names({ address: 'shared.example', name_prefix: 'same-b' })).toEqual(['same-b']);

  const change = (id: string, more: object) =>
    changeObject(table, { kind: 'node', id, ifMatch: undefined, writeContext }, (old) => ({ ...old, ...more }));
  await change(idOf(moved), { address: 'shared.example' });
  await change(idOf(first!), { address: 'elsewhere.example' });
  await change(idOf(second!), { az: 'a' });
  await removeObject(table, 'node', idOf(third!), { force: false, ifMatch: undefined, writeContext });
  expect(await names({ address: 'shared.example' })).toEqual(['moved', 'same-a']);
  expect(await names({ address: 'before.example' })).toEqual([]);
});

test('a service is listed by its long address, and by no address if it has none', async () => {
  await indexesAreBuilt(table);
  const long = `${'x'.repeat(300)}.example`;
  const place = node();
  const [far, near] = [service([place], { address: long }), service([place], { address: undefined, socket: '/s' })];
  await addAll(table, place, far, near);
  const listed = async (address: string) =>
    (await listServices(table, { address }, { size: 9, after: undefined }, reader)).objects.map(
      (json) => (JSON.parse(json) as { service_id: string }).service_id,
    );
  expect([await listed(long), await listed('x')]).toEqual([[idOf(far)], []]);
});
