/** An atomic batch is planned by batch-plan.ts, actions.ts and prefetch.ts. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { ApiError } from '../../../shared/core/errors.ts';
import { TransactionConflictException } from '../../../shared/db/table-errors.ts';
import { addAll, contextOf, exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { withSend } from '../../../tests/support/table.ts';
import { type Operation, operationSchema } from '../../domain/bulk/batch-operation.ts';
import type { Dependencies } from '../../runtime/dependencies.ts';
import { type Entity, idOf } from '../../store/entities/entity.ts';
import { findObjects, getObject } from '../../store/entities/get.ts';
import { nameOfKey, objectKey } from '../../store/table/keys.ts';
import { actionOf } from './actions.ts';
import { runAtomicBatch } from './atomic.ts';
import { readForAll } from './prefetch.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
const dependencies = { table, clock: () => testTime(), newId: () => randomUUID() } as unknown as Dependencies;

const parsed = (operations: readonly object[]) => operations.map((operation) => z.parse(operationSchema, operation));
const run = (operations: readonly object[], key?: string) =>
  runAtomicBatch(dependencies, parsed(operations), {
    writeContext: contextOf(),
    idempotency: key === undefined ? undefined : { callerId: 'c', keyHash: key, requestHash: 'r' },
  });
/** The kind of the refusal, with the fields that it names. */
const refusal = (operations: readonly object[]) =>
  run(operations).then(
    () => 'done',
    (error: unknown) => {
      const { kind, details } = error as ApiError;
      return [kind, ...details.map(({ field }) => field)];
    },
  );
const exists = async (entity: Entity) =>
  (await findObjects(table, [{ kind: entity.kind, id: idOf(entity) }])).length === 1;

const body = (more: object = {}) => ({ node_type: 'generic', node_name: randomUUID(), address: 'a', ...more });
const serviceBody = (more: object = {}) => ({
  ...{ service_type: 'mysql', service_name: randomUUID(), address: 'a', port: 1 },
  ...more,
});

async function existing(): Promise<Entity & { kind: 'node' }> {
  const entity = node();
  await addAll(table, entity);
  return entity;
}

test('the results equal those of separate requests', async () => {
  const [changed, gone, declared] = [await existing(), await existing(), await existing()];
  const name = declared.object.node_name;
  const results = await run([
    { op: 'addNode', body: body() },
    { op: 'changeNode', id: idOf(changed), body: { address: 'b' } },
    { op: 'removeNode', id: idOf(gone) },
    { op: 'upsertNode', body: body({ node_name: name, address: 'c' }) },
    { op: 'upsertNode', body: body() },
  ]);
  expect(results).toMatchObject([
    { status: 201, body: { revision: 1 } },
    { status: 200, id: idOf(changed), body: { address: 'b', revision: 2 } },
    { status: 204, id: idOf(gone) },
    { status: 200, id: idOf(declared), outcome: 'changed', body: { address: 'c' } },
    { status: 201, outcome: 'added' },
  ]);
  expect(await exists(gone)).toBe(false);
});

test('a failed operation prevents all others, and is named', async () => {
  const [taken, other] = [await existing(), await existing()];
  const change = { op: 'changeNode', id: idOf(other), body: { address: 'b' } };
  const name = taken.object.node_name;
  expect(await refusal([change, { op: 'addNode', body: body({ node_name: name }) }])).toEqual([
    'alreadyExists',
    'operations.1',
  ]);
  expect(await refusal([change, { op: 'removeNode', id: randomUUID() }])).toEqual(['notFound', 'operations.1']);
  await addAll(table, service([taken]));
  expect(await refusal([change, { op: 'removeNode', id: idOf(taken) }])).toEqual([
    'failedPrecondition',
    'operations.1',
  ]);
  expect(await refusal([{ op: 'addService', body: serviceBody({ node_ids: [randomUUID()] }) }])).toEqual([
    'notFound',
    'operations.0',
  ]);
  expect((await getObject(table, 'node', idOf(other))).object.revision).toBe(1);
});

test('a violation in a changed object names its field', async () => {
  const entity = await existing();
  expect(await refusal([{ op: 'changeNode', id: idOf(entity), body: { remove_after: '1d' } }])).toEqual([
    'invalidArgument',
    'operations.0.body.remove_after',
  ]);
});

test('a declared agent without a place and targets is refused and named', async () => {
  const agent = { agent_type: 'external_exporter', listen_port: 1 };
  expect(await refusal([{ op: 'upsertAgent', body: agent }])).toEqual([
    'invalidArgument',
    'operations.0.body.insights',
  ]);
});

test('labels refer to objects of earlier operations', async () => {
  const results = await run([
    { op: 'addNode', ref: 'n', body: body() },
    { op: 'addAgent', ref: 'p', body: { agent_type: 'pmm_agent', runs_on_node_id: '$n' } },
    { op: 'upsertService', ref: 's', body: serviceBody({ node_ids: ['$n'] }) },
    { op: 'addAgent', body: { agent_type: 'mysqld_exporter', pmm_agent_id: '$p', insights: { service_ids: ['$s'] } } },
  ]);
  const [n, p, s, agent] = results as unknown as { id: string; body: Record<string, unknown> }[];
  expect(agent!.body).toMatchObject({
    pmm_agent_id: p!.id,
    runs_on_node_id: n!.id,
    insights: { service_ids: [s!.id] },
  });
});

test('after a conflict, labels refer to the objects of the next attempt', async () => {
  let attempts = 0;
  const send = (command: any) => {
    if (command.constructor.name !== 'TransactWriteCommand') return table.client.send(command);
    attempts += 1;
    if (attempts === 1) throw new TransactionConflictException({ message: 'conflict' });
    return table.client.send(command);
  };
  const operations = parsed([
    { op: 'addNode', ref: 'n', body: body() },
    { op: 'addService', body: serviceBody({ node_ids: ['$n'] }) },
  ]);
  const results = await runAtomicBatch({ ...dependencies, table: withSend(table, send) }, operations, {
    writeContext: contextOf(),
    idempotency: undefined,
  });
  const [added, target] = results;
  expect(attempts).toBe(2);
  expect(target?.body).toMatchObject({ node_ids: [added?.id] });
});

test('an object may occur in one operation only', async () => {
  const entity = await existing();
  const id = idOf(entity);
  const change = { op: 'changeNode', id, body: { address: 'b' } };
  const declared = { op: 'upsertNode', body: body({ node_name: entity.object.node_name }) };
  for (const second of [change, { op: 'removeNode', id }, declared])
    expect(await refusal([change, second])).toEqual(['invalidArgument', 'operations.1']);
  expect(await refusal([declared, change])).toEqual(['invalidArgument', 'operations.1']);
  const twice = { op: 'upsertNode', body: body({ node_name: 'twice' }) };
  expect(await refusal([twice, twice])).toEqual(['invalidArgument', 'operations.1']);
  await expect(run([twice, change, change])).rejects.toThrow('Refers to the same object as operations.1.');
  await expect(run([change, twice, twice])).rejects.toThrow('Refers to the same object as operations.1.');
  // After its removal another object may have the name.
  expect(
    await refusal([
      { op: 'removeNode', id },
      { op: 'addNode', body: body({ node_name: entity.object.node_name }) },
    ]),
  ).toBe('done');
});

test('conditions may require the revision of an object, or its absence', async () => {
  const entity = await existing();
  const mismatch = ['revisionMismatch', 'operations.0'];
  const change = (if_match: number) => [{ op: 'changeNode', id: idOf(entity), if_match, body: { address: 'b' } }];
  expect(await refusal(change(2))).toEqual(mismatch);
  expect(await refusal([{ op: 'removeNode', id: idOf(entity), if_match: 2 }])).toEqual(mismatch);
  const declared = body({ node_name: entity.object.node_name });
  expect(await refusal([{ op: 'upsertNode', if_none_match: '*', body: declared }])).toEqual(mismatch);
  expect(await refusal([{ op: 'upsertNode', if_match: 2, body: declared }])).toEqual(mismatch);
  expect(await refusal(change(1))).toBe('done');
});

test('an operation without an effect still requires the object as it was read', async () => {
  const [entity, other] = [await existing(), await existing()];
  let isChanged = false;
  const send = async (command: any) => {
    if (command.constructor.name === 'TransactWriteCommand' && !isChanged) {
      isChanged = true;
      const revised = { op: 'changeNode', id: idOf(entity), body: { address: 'other' } };
      await actionOf(dependencies, z.parse(operationSchema, revised), testTime()).run(contextOf());
    }
    return table.client.send(command);
  };
  const same = { op: 'changeNode', id: idOf(entity), if_match: 1, body: { address: entity.object.address } };
  const disturbedTable = { ...dependencies, table: withSend(table, send) };
  const batch = runAtomicBatch(
    disturbedTable,
    parsed([same, { op: 'changeNode', id: idOf(other), body: { address: 'b' } }]),
    { writeContext: contextOf(), idempotency: undefined },
  );
  await expect(batch).rejects.toMatchObject({ kind: 'revisionMismatch' });
  expect((await getObject(table, 'node', idOf(other))).object.revision).toBe(1);
});

test('an agent that an earlier operation removes is not found, whatever its type', async () => {
  const host = node();
  const process = pmmAgent(host);
  const other = exporter(process, []);
  await addAll(table, host, process, other);
  for (const removed of [other, process]) {
    const operations = [
      { op: 'removeAgent', id: idOf(removed) },
      { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: idOf(removed) } },
    ];
    await expect(run(operations)).rejects.toMatchObject({ kind: 'notFound', details: [{ field: 'operations.1' }] });
    await run([{ op: 'removeAgent', id: idOf(removed) }]);
  }
});

test('a batch that exceeds a transaction is refused with the number of its items', async () => {
  const adds = (count: number) => Array.from({ length: count }, () => ({ op: 'addNode', body: body() }));
  await expect(run(adds(20))).resolves.toHaveLength(20);
  await expect(run(adds(21))).rejects.toMatchObject({
    kind: 'invalidArgument',
    message: expect.stringContaining('This batch requires 105 items, but a transaction contains at most 100'),
    details: [{ field: 'operations', reason: 'too_many' }],
  });
});

describe('under an Idempotency-Key', () => {
  test('it takes effect once, and a repetition has the same results', async () => {
    const key = randomUUID();
    const operations = [{ op: 'addNode', body: body() }];
    const first = await run(operations, key);
    expect(JSON.parse(JSON.stringify(await run(operations, key)))).toEqual(JSON.parse(JSON.stringify(first)));
  });
});

test('results with a key contain bodies up to 100,000 bytes, results without a key always', async () => {
  const results = async (last: number, { hasKey = true } = {}) => {
    const node = (labels: Record<string, string>) => ({ op: 'addNode', body: body({ custom_labels: labels }) });
    const wide = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]));
    return run(
      [node(wide), node({ ...wide, y: 'x'.repeat(800), z: 'x'.repeat(1000), last: 'x'.repeat(last) })],
      hasKey ? randomUUID() : undefined,
    );
  };
  const bytes = (kept: unknown) => Buffer.byteLength(JSON.stringify({ results: kept }));
  const rest = 100_000 - bytes(await results(1)) + 1;
  expect(rest).toBeLessThan(1024);
  const fitting = await results(rest);
  expect([bytes(fitting), 'body' in fitting[0]!]).toEqual([100_000, true]);
  expect('body' in (await results(rest + 1))[0]!).toBe(false);
  expect('body' in (await results(rest + 1, { hasKey: false }))[0]!).toBe(true);
});

test('an operation alone has the result that it has in a batch', async () => {
  const [entity, gone] = [await existing(), await existing()];
  const alone = (operation: object) =>
    actionOf(dependencies, z.parse(operationSchema, operation), testTime()).run(contextOf());
  expect(await alone({ op: 'addNode', body: body() })).toMatchObject({ status: 201, body: { revision: 1 } });
  const process = (await alone({ op: 'addAgent', body: { agent_type: 'pmm_agent', runs_on_node_id: idOf(entity) } }))
    .id;
  expect(await alone({ op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: process } })).toMatchObject({
    body: { runs_on_node_id: idOf(entity), insights: { node_ids: [idOf(entity)] } },
  });
  const same = { agent_type: 'node_exporter', pmm_agent_id: process };
  expect(await alone({ op: 'upsertAgent', body: same })).toMatchObject({ status: 200, outcome: 'unchanged' });
  expect(await alone({ op: 'changeNode', id: idOf(entity), if_match: 1, body: { address: 'b' } })).toMatchObject({
    ...{ status: 200, id: idOf(entity), body: { address: 'b' } },
  });
  await expect(alone({ op: 'removeNode', id: idOf(gone), if_match: 2 })).rejects.toMatchObject({
    kind: 'revisionMismatch',
  });
  expect(await alone({ op: 'removeNode', id: idOf(gone) })).toEqual({ status: 204, id: idOf(gone) });
  await expect(alone({ op: 'removeNode', id: idOf(entity) })).rejects.toMatchObject({ kind: 'failedPrecondition' });
  expect(await alone({ op: 'removeNode', id: idOf(entity), force: true })).toMatchObject({ status: 204 });
});

test('two calls read the objects of the operations in advance; others are read on demand', async () => {
  const place = node();
  const process = pmmAgent(place);
  const [target, agent] = [service([place]), exporter(process, [])];
  await addAll(table, place, process, target, agent);
  const calls: string[] = [];
  const send = (command: any) => {
    calls.push(command.constructor.name);
    return table.client.send(command);
  };
  const operations: Operation[] = parsed([
    { op: 'changeNode', id: idOf(place), body: {} },
    { op: 'upsertService', body: serviceBody({ service_name: target.object.service_name }) },
    { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: idOf(process) } },
  ]);
  const read = await readForAll(withSend(table, send), operations);
  expect(calls).toEqual(['BatchGetCommand', 'BatchGetCommand']);
  for (const object of [place, target, process])
    expect(nameOfKey((await read(objectKey(object.kind, idOf(object)))) ?? {})).toBe(
      nameOfKey(objectKey(object.kind, idOf(object))),
    );
  expect(calls).toHaveLength(2);
  expect(await read(objectKey('agent', idOf(agent)))).toBeDefined();
  expect(calls).toHaveLength(3);
});
