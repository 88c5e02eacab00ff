import type { Table } from '../../../shared/db/table.ts';
import { addAll, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { fakeTable, startTable, withSend } from '../../../tests/support/table.ts';
import { type Entity, idOf, itemOf, jsonOf } from '../entities/entity.ts';
import { exportPage } from './export.ts';

let table: Table;
let stop: () => Promise<void>;
const nodes = [node({ node_name: 'a' }), node({ node_name: 'b' })] as const;
const process = pmmAgent(nodes[0]);
const target = service([nodes[0]]);
const agents = [external({ nodes: [nodes[0]] }), exporter(process, [target])] as const;
const vm = exporter(process, [], { agent_type: 'vm_agent' });
beforeAll(async () => {
  ({ table, stop } = await startTable());
  await addAll(table, ...nodes, process, target, ...agents, vm);
});
afterAll(() => stop());

const all = [...nodes, target, process, ...agents, vm];

async function exported(size: number) {
  const exportedObjects: Entity[] = [];
  const sizes: number[] = [];
  let after: [string, string] | undefined;
  do {
    const page = await exportPage(table, { size, after });
    exportedObjects.push(...page.objects);
    sizes.push(page.objects.length);
    after = page.next;
  } while (after !== undefined);
  return { ids: exportedObjects.map(idOf), sizes };
}

test('exports every object once in pages of any size, each after the objects that it refers to', async () => {
  for (const size of [1, 2, 3, 4, 6, 7, 8]) {
    const { ids, sizes } = await exported(size);
    expect(ids).toEqual(all.map(idOf));
    expect(sizes.slice(0, -1).every((pageSize) => pageSize === size)).toBe(true);
    expect(sizes.at(-1)).toBeGreaterThan(0);
  }
  expect((await exported(7)).sizes).toEqual([7]);
});

test('a page begins at the index key of the last object of the page before', async () => {
  const starts: unknown[] = [];
  const seen = withSend(table, (command) => {
    starts.push(command.input.ExclusiveStartKey);
    return table.client.send(command);
  });
  const { next } = await exportPage(seen, { size: 1, after: undefined });
  starts.splice(0);
  await exportPage(seen, { size: 1, after: next });
  const { pk, sk, list_pk, list_sk } = itemOf(nodes[0]);
  expect(starts[0]).toEqual({ pk, sk, list_pk, list_sk });
});

test('exports an empty inventory as one empty page', async () => {
  const empty = fakeTable(() => ({ Items: [] }));
  expect(await exportPage(empty, { size: 5, after: undefined })).toEqual({ objects: [], next: undefined });
});

test('a page of more than 1,500,000 bytes ends before the next kind of objects', async () => {
  const large = (bytes: number) => {
    const small = node({ model: '' });
    return itemOf(node({ ...small.object, model: 'x'.repeat(bytes - jsonOf(small).length) }));
  };
  const page = async (bytes: number) => {
    const reads: number[] = [];
    const fake = fakeTable((_, { Limit, ExpressionAttributeValues: values }) => {
      reads.push(Limit);
      if (values[':list_pk'] === 'NODES') return { Items: [large(bytes)] };
      return { Items: values[':list_pk'] === 'SERVICES' ? [itemOf(target)] : [] };
    });
    const { objects, next } = await exportPage(fake, { size: 9, after: undefined });
    return [objects.length, next, reads.slice(0, 2)];
  };
  expect(await page(1_500_000)).toEqual([2, undefined, [10, 9]]);
  expect(await page(1_500_001)).toEqual([1, ['1 ', ''], [10, 1]]);
});
