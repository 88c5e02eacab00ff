import { randomUUID } from 'node:crypto';
import type { Table } from '../../../shared/db/table.ts';
import type { Revisions } from '../../../shared/http/etag.ts';
import {
  addAll,
  addHost,
  contextOf,
  exporter,
  external,
  node,
  pmmAgent,
  service,
} from '../../../tests/support/store.ts';
import { disturbed } from '../../../tests/support/table.ts';
import { idOf } from '../entities/entity.ts';
import { getObject } from '../entities/get.ts';
import { nodeNameClaim, serviceNameClaim } from '../table/keys.ts';
import { agentKeys } from '../entities/agent-natural-key.ts';
import { agentKeyClaim } from '../table/keys.ts';
import { naturalKeys, upsertAgent, upsertNode, upsertService } from './upsert.ts';
import { useCheckedTable } from '../../../tests/support/fixtures.ts';

const { table } = useCheckedTable();

interface More {
  at?: Table;
  scope?: string;
  ifMatch?: Revisions;
  ifNoneMatch?: Revisions;
}

/** Declares a node with this address. */
const declare = (
  node_name: string,
  address: string,
  { at = table, scope, ifMatch, ifNoneMatch }: More = {},
  node_id: string = randomUUID(),
) =>
  upsertNode(
    at,
    { node_name, node_type: 'generic' },
    { writeContext: contextOf({ scope }), ifMatch, ifNoneMatch },
    { add: () => node({ node_name, address, node_id }).object, next: (old) => ({ ...old, address }) },
  ).then(({ stored, outcome }) => ({ object: stored.object, outcome }));

test('a node is added, changed and kept', async () => {
  const name = randomUUID();
  const added = await declare(name, 'a');
  expect(added).toMatchObject({ outcome: 'added', object: { node_name: name, address: 'a', revision: 1 } });
  const id = added.object.node_id;
  expect(await declare(name, 'b')).toMatchObject({
    outcome: 'changed',
    object: { node_id: id, address: 'b', revision: 2 },
  });
  expect(await declare(name, 'b')).toMatchObject({ outcome: 'unchanged', object: { node_id: id, revision: 2 } });
});

test('simultaneous declarations result in one object', async () => {
  const name = randomUUID();
  const at = disturbed(table, () => declare(name, 'a'));
  expect(await declare(name, 'b', { at })).toMatchObject({ outcome: 'changed', object: { address: 'b', revision: 2 } });
});

test('the type of an existing object cannot change', async () => {
  const [name, options] = [randomUUID(), { writeContext: contextOf(), ifMatch: undefined, ifNoneMatch: undefined }];
  await declare(name, 'a');
  const never = () => expect('this').toBe('not called');
  const refused = { kind: 'alreadyExists', message: expect.stringContaining('with type "generic"') };
  const other = { node_name: name, node_type: 'container' };
  await expect(upsertNode(table, other, options, { add: never as never, next: never as never })).rejects.toMatchObject(
    refused,
  );
  const entity = service();
  await addAll(table, entity);
  const { service_name } = entity.object;
  const declared = { service_name, service_type: 'postgresql' };
  await expect(
    upsertService(table, declared, options, { add: never as never, next: never as never }),
  ).rejects.toMatchObject({ kind: 'alreadyExists', message: expect.stringContaining('with type "mysql"') });
});

describe('preconditions', () => {
  const mismatch = { kind: 'revisionMismatch' };

  test('If-Match requires the object with this revision', async () => {
    const name = randomUUID();
    await expect(declare(name, 'a', { ifMatch: '*' })).rejects.toMatchObject(mismatch);
    await declare(name, 'a');
    await expect(declare(name, 'b', { ifMatch: [2] })).rejects.toMatchObject(mismatch);
    expect(await declare(name, 'b', { ifMatch: [1] })).toMatchObject({ outcome: 'changed' });
    expect(await declare(name, 'c', { ifMatch: '*' })).toMatchObject({ outcome: 'changed' });
  });

  test('If-None-Match requires that the object has another revision or is absent', async () => {
    const name = randomUUID();
    expect(await declare(name, 'a', { ifNoneMatch: '*' })).toMatchObject({ outcome: 'added' });
    await expect(declare(name, 'a', { ifNoneMatch: '*' })).rejects.toMatchObject(mismatch);
    await expect(declare(name, 'b', { ifNoneMatch: [1] })).rejects.toMatchObject(mismatch);
    expect(await declare(name, 'b', { ifNoneMatch: [2] })).toMatchObject({ outcome: 'changed' });
  });

  test('the scope is checked first, so that no reply reveals the object', async () => {
    const name = randomUUID();
    const denied = { kind: 'permissionDenied' };
    for (const more of [{ ifMatch: '*' }, { ifNoneMatch: '*' }, {}] as const) {
      await expect(declare(name, 'a', { ...more, scope: 'mine' })).rejects.toMatchObject(denied);
      const other = randomUUID();
      await declare(other, 'a');
      await expect(declare(other, 'a', { ...more, scope: 'mine' })).rejects.toMatchObject(denied);
    }
    await expect(declare(name, 'a', { ifMatch: '*', scope: 'mine' }, 'mine')).rejects.toMatchObject(mismatch);
  });
});

describe('an agent', () => {
  const declareAgent = (
    wanted: ReturnType<typeof exporter>,
    takeHeartbeat?: (item: unknown) => void,
    port?: number,
  ) => {
    const { registered: _, ...object } = wanted.object;
    const options = { writeContext: contextOf(), ifMatch: undefined, ifNoneMatch: undefined };
    return upsertAgent(
      table,
      wanted.object,
      { ...options, ...(takeHeartbeat === undefined ? {} : { takeHeartbeat }) },
      { add: () => object, next: (old) => (port === undefined ? old : { ...old, listen_port: port }) },
    ).then(({ stored, outcome }) => ({ object: stored.object, outcome }));
  };

  test('is registered by its natural key, and found by it', async () => {
    const { process, target } = await addHost(table);
    const wanted = exporter(process, [target]);
    expect(await declareAgent(wanted)).toMatchObject({ outcome: 'added', object: { registered: true } });
    const again = exporter(process, [target]);
    const taken: any[] = [];
    const declared = await declareAgent(again, (item) => taken.push(item));
    expect(declared).toMatchObject({ outcome: 'unchanged', object: { agent_id: idOf(wanted) } });
    expect(taken).toMatchObject([{ sk: wanted.object.runs_on_node_id }]);
  });

  test('that was added without registration is registered, the oldest of equal ones', async () => {
    const { process, target } = await addHost(table);
    const [younger, older] = [
      exporter(process, [target], { created_at: '2026-01-02T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' }),
      exporter(process, [target], { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }),
    ];
    await addAll(table, younger, older);
    expect(await declareAgent(exporter(process, [target]), undefined, 7)).toMatchObject({
      outcome: 'changed',
      object: { agent_id: idOf(older), registered: true, listen_port: 7 },
    });
    expect((await getObject(table, 'agent', idOf(younger))).object).not.toHaveProperty('registered');
  });

  test('with other targets, type or process is another one', async () => {
    const { place, process, target } = await addHost(table);
    const [more, second] = [service([place]), pmmAgent(place)];
    await addAll(table, more, second, exporter(process, [target]));
    for (const wanted of [
      exporter(process, [more]),
      exporter(process, [target, more]),
      exporter(second, [target]),
      exporter(process, [target], { agent_type: 'qan_mysql_slowlog_agent' }),
    ])
      expect(await declareAgent(wanted)).toMatchObject({ outcome: 'added' });
  });

  test('is found by its place or by a node as its target', async () => {
    const { place, process } = await addHost(table);
    const [atNode, watching] = [external({ nodes: [place] }), external({}, { runs_on_node_id: idOf(place) })];
    await addAll(table, atNode, watching);
    expect(await declareAgent(external({ nodes: [place] }))).toMatchObject({ object: { agent_id: idOf(atNode) } });
    expect(await declareAgent(external({}, { runs_on_node_id: idOf(place) }))).toMatchObject({
      object: { agent_id: idOf(watching) },
    });
    expect(await declareAgent(pmmAgent(place))).toMatchObject({ object: { agent_id: idOf(process) } });
  });
});

test('an object has its natural keys', () => {
  const [place, target] = [node(), service()];
  const agent = external({ services: [target] });
  expect(naturalKeys(place)).toEqual([nodeNameClaim(place.object.node_name)]);
  expect(naturalKeys(target)).toEqual([serviceNameClaim(target.object.service_name)]);
  expect(naturalKeys(agent)).toEqual(agentKeys(agent.object).map(agentKeyClaim));
});
