import * as z from 'zod/mini';
import { nodeAddition, nodeChange, nodeImport, nodeOrStored } from './schema.ts';
import { nodeTypes, nodeTypeTable } from './types.ts';

const accepts = (schema: z.ZodMiniType, value: object) => z.safeParse(schema, value).success;
const body = (more: object = {}) => ({ node_type: 'generic', node_name: 'n', address: 'a', ...more });

test('each type requires its fields, and accepts only its own options', () => {
  for (const node_type of nodeTypes) {
    const { options, required } = nodeTypeTable[node_type];
    const isRegionRequired = (required as readonly string[]).includes('region');
    expect([
      node_type,
      accepts(nodeAddition, body({ node_type })),
      accepts(nodeAddition, body({ node_type, region: 'eu' })),
    ]).toEqual([...[node_type, !isRegionRequired, true]]);
    const hasContainer = (options as readonly string[]).includes('container_id');
    expect(accepts(nodeAddition, body({ node_type, region: 'eu', container_id: 'c' }))).toBe(hasContainer);
  }
  expect(accepts(nodeAddition, body({ node_type: 'other' }))).toBe(false);
});

test('the identifier of an RDS instance contains no dots', () => {
  const rds = (address: string) => accepts(nodeAddition, body({ node_type: 'remote_rds', region: 'eu', address }));
  expect([rds('db-1'), rds('db.1')]).toEqual([true, false]);
  expect(accepts(nodeAddition, body({ address: 'db-1.example' }))).toBe(true);
});

test('a new address is no special one, but a stored one may be', () => {
  expect(accepts(nodeAddition, body({ address: '127.0.0.1' }))).toBe(false);
  expect(accepts(nodeOrStored, body({ address: '127.0.0.1' }))).toBe(true);
});

test('the timers are ordered: stale, offline, remove', () => {
  const valid = (more: object) => accepts(nodeAddition, body(more));
  expect(valid({ stale_after: '5m', offline_after: '5m' })).toBe(false);
  expect(valid({ stale_after: '5m', offline_after: '301s' })).toBe(true);
  expect(valid({ lifetime: 'ephemeral', offline_after: '1h', remove_after: '1h' })).toBe(true);
  expect(valid({ lifetime: 'ephemeral', offline_after: '1h', remove_after: '3599s' })).toBe(false);
  expect(valid({ remove_after: '1d' })).toBe(false);
  expect([valid({ stale_after: '10s' }), valid({ stale_after: '9s' })]).toEqual([true, false]);
  const longest = { lifetime: 'ephemeral', remove_after: '365d' };
  expect([valid(longest), valid({ ...longest, remove_after: '366d' })]).toEqual([true, false]);
});

test('an import needs an id; a change may clear options and contains no name', () => {
  const node_id = '00000000-0000-4000-8000-000000000000';
  expect([accepts(nodeImport, body({ node_id, state: 'live' })), accepts(nodeImport, body())]).toEqual([true, false]);
  expect(accepts(nodeChange, { region: null, custom_labels: { a: null } })).toBe(true);
  for (const change of [{ node_name: 'm' }, { node_type: 'remote' }, { address: null }])
    expect(accepts(nodeChange, change)).toBe(false);
});
