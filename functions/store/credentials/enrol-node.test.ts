import { randomUUID } from 'node:crypto';
import { apiKey, causeAt, addKey } from '../../../tests/support/credentials.ts';
import { addAll, contextOf, node } from '../../../tests/support/store.ts';
import { withConflicts } from '../../../tests/support/conflicts.ts';
import { disturbed } from '../../../tests/support/table.ts';
import { idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { commit } from '../inventory/commit.ts';
import { markRemoving } from '../inventory/mark-removing.ts';
import { removeObject } from '../inventory/remove.ts';
import { findApiKey } from './api-keys.ts';
import { findByName } from './named-keys.ts';
import { enrol, registrarName } from './enrol-node.ts';
import {
  addEnrolmentToken,
  type EnrolmentToken,
  findEnrolmentToken,
  removeEnrolmentToken,
} from './enrolment-tokens.ts';
import { TEST_TIME, testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const SECONDS = Math.floor(TEST_TIME / 1000);

/** Adds a token, and returns a call that enrols a node with it. */
async function token(more: Partial<EnrolmentToken> = {}) {
  const id = randomUUID();
  const full: EnrolmentToken = {
    ...{ token_id: id, name: 'hosts', prefix: 'p', created_at: testTime().toISOString() },
    ...{ created_by: { kind: 'user', id: 'admin', name: 'admin' }, expires_at: SECONDS + 60 },
    ...more,
  };
  await addEnrolmentToken(table, full, id, causeAt(testTime()));
  const isLeft = async () => (await findEnrolmentToken(table, id)) !== undefined;
  const use = (fields: object = {}, { at = table, nowSeconds = SECONDS, sourceIp = '192.0.2.7' } = {}) => {
    const entity = node({ address: sourceIp, ...fields });
    const { node_name: name } = entity.object;
    return enrol(at, {
      ...{
        requestId: 'r',
        sourceIp,
        clock: () => testTime(),
        tokenHash: id,
        now: new Date(nowSeconds * 1000),
        node: entity.object,
      },
      keyFor: (_, nodeId) => {
        const key = apiKey({ name: registrarName(name), role: 'Registrar', node_id: nodeId });
        return { key, hash: key.key_id };
      },
    });
  };
  return { use, isLeft, id };
}

test('a token is exchanged once for a node and its key', async () => {
  const { use, isLeft } = await token();
  const { node: added, key } = await use();
  expect(await findApiKey(table, key.key_id)).toMatchObject({ role: 'Registrar', node_id: added.node_id });
  expect((await getObject(table, 'node', added.node_id)).object.node_name).toBe(added.node_name);
  expect(await isLeft()).toBe(false);
  await expect(use()).rejects.toMatchObject({ kind: 'unauthenticated' });
});

test('an expired token is refused, and stays', async () => {
  const { use, isLeft } = await token();
  await expect(use({}, { nowSeconds: SECONDS + 60 })).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(await isLeft()).toBe(true);
  await expect(use({}, { nowSeconds: SECONDS + 59 })).resolves.toBeDefined();
});

test('a token for one node does not enrol another', async () => {
  const name = randomUUID();
  const { use, isLeft } = await token({ node_name: name });
  await expect(use()).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await isLeft()).toBe(true);
  await expect(use({ node_name: name })).resolves.toMatchObject({ node: { node_name: name } });
});

test('only a token for this node takes over an existing one, whose key ends', async () => {
  const first = await (await token()).use();
  const { node_name, node_id } = first.node;
  const { use: anyNode } = await token();
  await expect(anyNode({ node_name })).rejects.toMatchObject({ kind: 'alreadyExists' });
  const again = await (await token({ node_name })).use({ node_name });
  expect(again.node.node_id).toBe(node_id);
  expect(await findApiKey(table, first.key.key_id)).toBeUndefined();
  expect((await findByName(table, registrarName(node_name)))?.key_id).toBe(again.key.key_id);
});

test('a key of another role with the name of the node is not replaced', async () => {
  const name = randomUUID();
  const other = await addKey(table, { name: registrarName(name) });
  const { use } = await token();
  await expect(use({ node_name: name })).rejects.toMatchObject({ kind: 'alreadyExists' });
  expect(await findApiKey(table, other.key_id)).toBeDefined();
});

test('the address must be that of the request or one that the token allows', async () => {
  const { use } = await token({ allowed_addresses: ['10.1.0.0/16'] });
  await expect(use({ address: '10.2.0.1' })).rejects.toMatchObject({ kind: 'permissionDenied' });
  await expect(use({ address: '10.1.2.3' })).resolves.toBeDefined();
});

test('without allowed addresses the address must be that of the request', async () => {
  const { use, isLeft } = await token();
  await expect(use({ address: '10.1.2.3' })).rejects.toMatchObject({ kind: 'permissionDenied' });
  expect(await isLeft()).toBe(true);
  await expect(use({ address: '192.0.2.7' })).resolves.toBeDefined();
});

test('a node that is being removed is not taken over', async () => {
  const entity = node();
  await addAll(table, entity);
  const read = await getObject(table, 'node', idOf(entity));
  await commit(table, contextOf(), (plan) => markRemoving(plan, read));
  const { node_name } = entity.object;
  const { use, isLeft } = await token({ node_name });
  await expect(use({ node_name })).rejects.toMatchObject({ kind: 'failedPrecondition' });
  expect(await isLeft()).toBe(true);
});

test('a node that is removed at the same time is added', async () => {
  const entity = node();
  await addAll(table, entity);
  const { node_name } = entity.object;
  const { use } = await token({ node_name });
  const options = { force: false, ifMatch: undefined, writeContext: contextOf() };
  const at = disturbed(table, () => removeObject(table, 'node', idOf(entity), options));
  const { node: added } = await use({ node_name }, { at });
  expect([added.node_name, added.node_id === idOf(entity)]).toEqual([node_name, false]);
});

describe('many hosts at once', () => {
  const HOSTS = 64;

  test('are all enrolled, and their transactions share only a few key counters', async () => {
    const tokens = await Promise.all(Array.from({ length: HOSTS }, () => token()));
    const { table: at, written } = withConflicts(table, 10);
    const enrolled = await Promise.all(tokens.map(({ use }, host) => use({ node_name: `crowd-${host}` }, { at })));
    expect(new Set(enrolled.map(({ node: { node_id: id } }) => id)).size).toBe(HOSTS);
    const shared = [...written].filter(([, times]) => times > 1);
    expect(shared.filter(([item]) => !/^\["API_KEYS","COUNTER#\d+"\]$/.test(item))).toEqual([]);
    expect(Math.max(0, ...shared.map(([, times]) => times))).toBeLessThan(8);
  });

  test('with one token: one is enrolled', async () => {
    const { use } = await token();
    const { table: at } = withConflicts(table, 10);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, host) => use({ node_name: `race-${host}` }, { at })),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => reason.kind)).toEqual(Array.from({ length: 7 }, () => 'unauthenticated'));
  });

  test('with a removed token are refused, whichever comes first', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => token()));
    const { table: at } = withConflicts(table, 10);
    const outcomes = await Promise.all(
      tokens.map(async ({ use, id }, host) => {
        const [enrolment, removal] = await Promise.allSettled([
          use({ node_name: `removed-${host}` }, { at }),
          removeEnrolmentToken(at, id, causeAt(testTime())),
        ]);
        return [enrolment, removal].map((result) => (result.status === 'rejected' ? result.reason.kind : 'done'));
      }),
    );
    for (const outcome of outcomes)
      expect([
        ['done', 'notFound'],
        ['unauthenticated', 'done'],
      ]).toContainEqual(outcome);
  });
});
