import { randomUUID } from 'node:crypto';
import { inFull, testInFull } from '../../../../shared/testing/extent.ts';
import fc from '../../../../shared/testing/fast-check.ts';
import { ApiError } from '../../../../shared/core/errors.ts';
import { checkInvariants, scan } from '../../../../tests/consistency/invariants.ts';
import { disturbed, isTransaction } from '../../../../tests/consistency/disturbances.ts';
import { addHost, addNode, addService, unseen } from '../../../../tests/support/add.ts';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(async () => expect(await checkInvariants(inventory.table)).toEqual([]));

const run = (operations: unknown[], more: object = {}) =>
  inventory.request('POST', '/v1/batch', { body: { operations, ...more }, as: 'Editor' });
const statuses = (reply: any): number[] => reply.body.results.map(({ status }: any) => status);
const get = async (path: string) => (await inventory.request('GET', path)).body;

const node = (more: object = {}) => ({ node_type: 'generic', node_name: randomUUID(), address: 'a', ...more });
const mysql = (more: object = {}) => ({
  service_type: 'mysql',
  service_name: randomUUID(),
  address: 'a',
  port: 3306,
  ...more,
});
const process = (nodeId: string) => ({ agent_type: 'pmm_agent', runs_on_node_id: nodeId });
const exporter = (parent: string, service: string) => ({
  agent_type: 'mysqld_exporter',
  pmm_agent_id: parent,
  insights: { service_ids: [service] },
});

test('a batch adds a node, its service and its agents, which refer to each other by labels', async () => {
  const reply = await run([
    { op: 'addNode', ref: 'n', body: node() },
    { op: 'addService', ref: 's', body: mysql({ node_ids: ['$n'] }) },
    { op: 'addAgent', ref: 'p', body: process('$n') },
    { op: 'addAgent', body: exporter('$p', '$s') },
    { op: 'changeService', id: '$s', body: { cluster: 'c' } },
  ]);
  expect(statuses(reply)).toEqual([201, 201, 201, 201, 200]);
  const [n, s, p, e, changed] = reply.body.results;
  expect(await get(`/v1/nodes/${n.id}`)).toEqual(unseen(n.body));
  expect(s.body.node_ids).toEqual([n.id]);
  expect(await get(`/v1/services/${s.id}`)).toEqual(unseen(changed.body));
  expect(changed.body).toMatchObject({ cluster: 'c', revision: 2, service_id: s.id });
  expect(p.body.runs_on_node_id).toBe(n.id);
  expect(await get(`/v1/agents/${e.id}`)).toEqual(unseen(e.body));
  expect(e.body).toMatchObject({ pmm_agent_id: p.id, runs_on_node_id: n.id, insights: { service_ids: [s.id] } });
});

test('each operation succeeds or fails by itself, with the reply of a separate request', async () => {
  const { node_id: id } = await addNode(inventory, { node_name: 'taken' });
  const { node_id: used } = await addNode(inventory);
  await addService(inventory, { node_ids: [used] });
  const alone = await inventory.request('POST', '/v1/nodes', { body: node({ node_name: 'taken' }) });
  const reply = await run([
    { op: 'addNode', body: node({ node_name: 'taken' }) },
    { op: 'changeNode', id, if_match: 7, body: { distro: 'x' } },
    { op: 'changeNode', id, if_match: 1, body: { distro: 'x' } },
    { op: 'changeNode', id, body: { container_id: 'not of this type' } },
    { op: 'removeNode', id: used },
    { op: 'removeNode', id: randomUUID() },
    { op: 'removeNode', id: used, force: true },
  ]);
  expect(reply.status).toBe(200);
  expect(statuses(reply)).toEqual([409, 412, 200, 400, 400, 404, 204]);
  const { results } = reply.body;
  expect({ ...results[0].error, request_id: '' }).toEqual({ ...alone.body, request_id: '' });
  expect(results[0].error.request_id).toMatch(/\S/);
  expect(results[3].error.details).toEqual([
    { field: 'container_id', reason: 'unknown_field', message: 'Unknown field.' },
  ]);
  expect(results[4].error).toMatchObject({ code: 9, message: `Node with ID "${used}" has services.` });
  expect(results[6]).toEqual({ status: 204, id: used });
  expect((await inventory.request('GET', `/v1/nodes/${used}`)).status).toBe(404);
});

test('operations that refer to a failed one are skipped with that reason; the others are performed', async () => {
  await addNode(inventory, { node_name: 'in the way' });
  const reply = await run([
    { op: 'addNode', ref: 'n', body: node({ node_name: 'in the way' }) },
    { op: 'addService', ref: 's', body: mysql({ node_ids: ['$n'] }) },
    { op: 'changeService', id: '$s', body: { cluster: 'c' } },
    { op: 'addNode', body: node() },
  ]);
  expect(statuses(reply)).toEqual([409, 400, 400, 201]);
  expect(reply.body.results[1].error).toMatchObject({
    code: 9,
    message: 'Not done: the operation with the label "n" failed.',
  });
  expect(reply.body.results[2].error.message).toContain('"s"');
});

test('operations take effect in their order', async () => {
  const name = randomUUID();
  const { nodeId, pmmAgentId } = await addHost(inventory);
  const reply = await run([
    { op: 'addNode', ref: 'first', body: node({ node_name: name }) },
    { op: 'addNode', body: node({ node_name: name }) },
    { op: 'removeNode', id: '$first' },
    { op: 'addNode', ref: 'second', body: node({ node_name: name }) },
    { op: 'removeNode', id: nodeId },
    { op: 'removeAgent', id: pmmAgentId },
    { op: 'removeNode', id: nodeId },
    { op: 'changeNode', id: '$second', body: { distro: 'x' } },
    { op: 'changeNode', id: '$second', body: { distro: 'y' } },
  ]);
  expect(statuses(reply)).toEqual([201, 409, 204, 201, 400, 204, 204, 200, 200]);
  expect(reply.body.results.at(-1).body).toMatchObject({ distro: 'y', revision: 3 });
});

test('a name that a change frees can be taken by the next operation', async () => {
  const { node_id: id } = await addNode(inventory, { region: 'eu', address: 'here' });
  const reply = await run([
    { op: 'addNode', body: node({ region: 'eu', address: 'here' }) },
    { op: 'changeNode', id, body: { address: 'there' } },
    { op: 'addNode', body: node({ region: 'eu', address: 'here' }) },
    { op: 'addNode', body: node({ region: 'eu', address: 'there' }) },
  ]);
  expect(statuses(reply)).toEqual([409, 200, 201, 409]);
});

test('declarations add, change or keep an object, and later operations refer to it by label', async () => {
  const [name, service] = [randomUUID(), randomUUID()];
  const operations = (distro: string) => [
    { op: 'upsertNode', ref: 'n', body: node({ node_name: name, distro }) },
    { op: 'upsertService', ref: 's', body: mysql({ service_name: service, node_ids: ['$n'] }) },
    { op: 'upsertAgent', ref: 'p', body: process('$n') },
    { op: 'upsertAgent', ref: 'e', body: exporter('$p', '$s') },
  ];
  const outcomes = (reply: any) => reply.body.results.map(({ status, outcome }: any) => [status, outcome]);
  const first = await run(operations('x'));
  expect(outcomes(first)).toEqual([1, 2, 3, 4].map(() => [201, 'added']));
  const [n, s, p, e] = first.body.results;
  expect(await get(`/v1/nodes/${n.id}`)).toEqual(unseen(n.body));
  expect(await get(`/v1/agents/${e.id}`)).toEqual(unseen(e.body));
  expect(e.body).toMatchObject({ pmm_agent_id: p.id, runs_on_node_id: n.id, insights: { service_ids: [s.id] } });

  const before = await scan(inventory.table);
  const again = await run(operations('x'));
  expect(outcomes(again)).toEqual([1, 2, 3, 4].map(() => [200, 'unchanged']));
  expect(await scan(inventory.table)).toEqual(before);

  const third = await run([...operations('y'), { op: 'changeAgent', id: '$e', body: { custom_labels: { a: 'b' } } }]);
  expect(outcomes(third)).toEqual([
    [200, 'changed'],
    [200, 'unchanged'],
    [200, 'unchanged'],
    [200, 'unchanged'],
    [200, undefined],
  ]);
  expect(third.body.results.map(({ id }: any) => id)).toEqual([n.id, s.id, p.id, e.id, e.id]);
  expect(third.body.results[0].body).toMatchObject({ distro: 'y', revision: 2 });
});

test('a declaration has the reply of a separate request for conditions, another type, and an agent without a key', async () => {
  const { node_id: id, node_name: name } = await addNode(inventory);
  const reply = await run([
    { op: 'upsertNode', if_none_match: '*', body: node({ node_name: name }) },
    { op: 'upsertNode', if_match: 2, body: node({ node_name: name, distro: 'x' }) },
    { op: 'upsertNode', if_match: 1, body: node({ node_name: name, distro: 'x' }) },
    { op: 'upsertNode', if_match: 1, body: node() },
    { op: 'upsertNode', body: node({ node_name: name, node_type: 'remote' }) },
    { op: 'upsertAgent', body: { agent_type: 'external_exporter', listen_port: 1 } },
    { op: 'upsertService', body: mysql({ node_ids: ['gone'] }) },
  ]);
  expect(statuses(reply)).toEqual([412, 412, 200, 412, 409, 400, 404]);
  const alone = await inventory.request('PUT', `/v1/nodes/by-name/${name}`, {
    body: { node_type: 'generic', address: 'a' },
    headers: { 'If-None-Match': '*' },
  });
  expect(alone.status).toBe(412);
  expect(reply.body.results[0].error.message).toBe(alone.body.message.replace('revision 2', 'revision 1'));
  expect(await get(`/v1/nodes/${id}`)).toMatchObject({ distro: 'x', revision: 2 });
});

test('declarations take effect in their order, also among changes', async () => {
  const { node_id: id, node_name: name } = await addNode(inventory);
  const [firstName, other] = [randomUUID(), randomUUID()];
  const at = (node_name: string, address: string) => ({
    op: 'upsertNode',
    body: node({ node_name, address, region: 'eu-9' }),
  });
  const reply = await run([
    ...Array.from({ length: 10 }, (_, index) => [
      { op: 'changeNode', id, body: { distro: `${index}` } },
      { op: 'upsertNode', body: node({ node_name: name, machine_id: `${index}` }) },
    ]).flat(),
    at(firstName, 'a1'),
    at(other, 'a1'),
    at(firstName, 'a2'),
    at(other, 'a1'),
    at(firstName, 'a1'),
  ]);
  expect(statuses(reply).slice(20)).toEqual([201, 409, 200, 201, 409]);
  // Each operation reverts the field that the previous one set.
  for (const [index, { body }] of reply.body.results.slice(0, 20).entries())
    expect([body.revision, body.distro, body.machine_id]).toEqual(
      index % 2 === 0
        ? [Number(index) + 2, `${index / 2}`, index === 0 ? undefined : `${index / 2 - 1}`]
        : [Number(index) + 2, undefined, `${(index - 1) / 2}`],
    );
});

/** The unique values of a node, in one operation of a sequence. */
interface Move {
  op: 'addNode' | 'upsertNode' | 'changeNode';
  name: string;
  /** Its address or container; undefined: without a claim. */
  place: string | undefined;
}

function statusAfter(placeOf: Map<string, string | undefined>, { op, name, place }: Move): number {
  const isThere = placeOf.has(name);
  if (isThere && op === 'addNode') return 409;
  const isTaken = place !== undefined && [...placeOf].some(([other, has]) => other !== name && has === place);
  if (isTaken) return 409;
  placeOf.set(name, place);
  return isThere ? 200 : 201;
}

test('nodes that exchange values get the result of sequential operations', async () => {
  const move = fc.record({
    op: fc.constantFrom<Move['op'][]>('addNode', 'upsertNode', 'upsertNode', 'changeNode'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    place: fc.constantFrom(undefined, 'p', 'q', 'r'),
  });
  const batches = fc.array(fc.array(move, { minLength: 2, maxLength: 12 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(batches, async (moves) => {
      const prefix = randomUUID();
      const placeOf = new Map<string, string | undefined>();
      const ids = new Map<string, string>();
      const operationOf = ({ op, name, place }: Move) => {
        const fields = { address: place ?? 'a', region: place === undefined ? null : prefix };
        if (op === 'changeNode') return { op, id: ids.get(name), body: fields };
        const { region, ...anywhere } = fields;
        return { op, body: node({ node_name: `${prefix} ${name}`, ...(region === null ? anywhere : fields) }) };
      };
      for (const batch of moves) {
        const operations = batch.map((each): Move =>
          each.op === 'changeNode' && !ids.has(each.name) ? { ...each, op: 'upsertNode' } : each,
        );
        const reply = await run(operations.map(operationOf));
        expect(statuses(reply)).toEqual(operations.map((each) => statusAfter(placeOf, each)));
        for (const [index, { name }] of operations.entries()) {
          const { id } = reply.body.results[index];
          if (id !== undefined) ids.set(name, id);
        }
      }
    }),
    { numRuns: inFull(40, 10) },
  );
});

describe('a batch with a malformed operation is refused, and nothing is written', () => {
  const good = () => ({ op: 'addNode', ref: 'n', body: node() });
  const cases: [string, unknown[], { field: string; reason: string }][] = [
    ['an unknown operation', [{ op: 'addCluster', body: {} }], { field: 'operations.1.op', reason: 'invalid_value' }],
    ['no operation name', [{ body: {} }], { field: 'operations.1.op', reason: 'required' }],
    [
      'a body that breaks a rule',
      [{ op: 'addService', body: mysql({ port: 0 }) }],
      { field: 'operations.1.body.port', reason: 'out_of_range' },
    ],
    [
      'a credential',
      [{ op: 'addService', body: mysql({ password: 'x' }) }],
      { field: 'operations.1.body.password', reason: 'credential' },
    ],
    [
      'a field of the server',
      [{ op: 'changeNode', id: randomUUID(), body: { revision: 3 } }],
      { field: 'operations.1.body.revision', reason: 'read_only' },
    ],
    [
      'what never changes',
      [{ op: 'changeAgent', id: randomUUID(), body: { pmm_agent_id: 'x' } }],
      { field: 'operations.1.body.pmm_agent_id', reason: 'immutable' },
    ],
    [
      'an unknown field of the operation',
      [{ op: 'removeNode', id: randomUUID(), body: {} }],
      { field: 'operations.1.body', reason: 'unknown_field' },
    ],
    [
      'a declaration without its name',
      [{ op: 'upsertNode', body: { node_type: 'generic', address: 'a' } }],
      { field: 'operations.1.body.node_name', reason: 'required' },
    ],
    [
      'a field of the server in a declaration',
      [{ op: 'upsertAgent', body: { ...process('n'), connected: true } }],
      { field: 'operations.1.body.connected', reason: 'read_only' },
    ],
    [
      'conditions on an add',
      [{ op: 'addNode', if_none_match: '*', body: node() }],
      { field: 'operations.1.if_none_match', reason: 'unknown_field' },
    ],
    ['a label twice', [good()], { field: 'operations.1.ref', reason: 'duplicate' }],
    [
      'a label that nobody has',
      [{ op: 'addService', body: mysql({ node_ids: ['$m'] }) }],
      { field: 'operations.1.body.node_ids.0', reason: 'invalid_reference' },
    ],
    [
      'a label of what comes later',
      [
        { op: 'addAgent', body: process('$later') },
        { ...good(), ref: 'later' },
      ],
      { field: 'operations.1.body.runs_on_node_id', reason: 'invalid_reference' },
    ],
    [
      'a label of another kind of object',
      [{ op: 'addAgent', body: exporter('$n', '$n') }],
      { field: 'operations.1.body.insights.service_ids.0', reason: 'invalid_reference' },
    ],
    [
      'a label of another kind as id',
      [{ op: 'removeService', id: '$n' }],
      { field: 'operations.1.id', reason: 'invalid_reference' },
    ],
    [
      'its own label',
      [{ op: 'addAgent', ref: 'a', body: exporter('$a', '$n') }],
      { field: 'operations.1.body.pmm_agent_id', reason: 'invalid_reference' },
    ],
  ];

  test.each(cases)('%s', async (_, operations, violation) => {
    const before = await scan(inventory.table);
    const reply = await run([good(), ...operations]);
    expect([reply.status, reply.body.code]).toEqual([400, 3]);
    expect(reply.body.details).toContainEqual(expect.objectContaining(violation));
    expect((await scan(inventory.table)).length).toBe(before.length);
  });

  test('no operation, or more than 500', async () => {
    for (const operations of [[], Array.from({ length: 501 }, () => ({ op: 'removeNode', id: randomUUID() }))])
      expect((await run(operations)).body.details).toEqual([
        expect.objectContaining({ field: 'operations', reason: 'out_of_range' }),
      ]);
  });
});

describe('an atomic batch', () => {
  const atomic = (operations: unknown[]) => run(operations, { atomic: true });
  const nothingIsDone = async (before: number) => expect((await scan(inventory.table)).length).toBe(before);
  const count = async () => (await scan(inventory.table)).length;

  test('adds a node with its services and agents, or services and agents to an existing node', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const reply = await atomic([
      { op: 'addNode', ref: 'n', body: node({ region: 'eu-7', address: randomUUID() }) },
      { op: 'addService', ref: 's', body: mysql({ node_ids: ['$n', nodeId], cluster: 'c' }) },
      { op: 'addAgent', ref: 'p', body: process('$n') },
      { op: 'addAgent', body: exporter('$p', '$s') },
      { op: 'addAgent', body: exporter(pmmAgentId, '$s') },
      { op: 'addAgent', body: { agent_type: 'external_exporter', listen_port: 1, insights: { service_ids: ['$s'] } } },
      { op: 'addAgent', body: { agent_type: 'node_exporter', pmm_agent_id: '$p' } },
    ]);
    expect(statuses(reply)).toEqual([201, 201, 201, 201, 201, 201, 201]);
    const [n, s, p, first, second] = reply.body.results;
    expect(s.body.node_ids).toEqual([n.id, nodeId]);
    expect(first.body).toMatchObject({ pmm_agent_id: p.id, runs_on_node_id: n.id });
    expect(second.body).toMatchObject({ pmm_agent_id: pmmAgentId, runs_on_node_id: nodeId });
    for (const { id, body } of reply.body.results) {
      const list = body.node_name ? 'nodes' : body.service_name ? 'services' : 'agents';
      expect(await get(`/v1/${list}/${id}`)).toEqual(unseen(body));
    }
    // The added objects can be removed again, for which the dependents counters must be right.
    const gone = await inventory.request('DELETE', `/v1/nodes/${n.id}?force=true`);
    expect(gone.status).toBe(204);
  });

  test('that adds an object under a taken name is refused for that name, also when it takes values of its owner', async () => {
    const { node_id: id, node_name } = await addNode(inventory, { region: 'eu-9', address: randomUUID() });
    const { status, body } = await atomic([
      { op: 'addNode', body: node({ node_name, region: 'eu-9', address: randomUUID() }) },
      { op: 'changeNode', id, body: { region: null } },
    ]);
    expect([status, body.details]).toMatchObject([409, [{ field: expect.stringMatching(/^operations\.0/) }]]);
    expect(body.message).toBe(`Node with name "${node_name}" already exists.`);
  });

  test('writes nothing if an operation fails, and names that operation', async () => {
    await addNode(inventory, { node_name: 'already there' });
    const { node_id: remote } = await addNode(inventory, { node_type: 'remote' });
    const mongo = await addService(inventory, { service_type: 'mongodb' });
    const { pmmAgentId } = await addHost(inventory);
    const before = await count();
    const same = mysql();
    const cases: [unknown[], number, string][] = [
      [
        [{ op: 'addNode', body: node({ node_name: 'already there' }) }],
        409,
        'Node with name "already there" already exists.',
      ],
      [
        [
          { op: 'addService', body: same },
          { op: 'addService', body: same },
        ],
        409,
        `Service with name "${same.service_name}" already exists.`,
      ],
      [[{ op: 'addService', body: mysql({ node_ids: ['gone'] }) }], 404, 'Node with ID "gone" not found.'],
      [[{ op: 'addAgent', body: process('gone') }], 404, 'Node with ID "gone" not found.'],
      [[{ op: 'addAgent', body: exporter('gone', mongo.service_id) }], 404, 'Agent with ID "gone" not found.'],
      [
        [{ op: 'addAgent', body: exporter(pmmAgentId, mongo.service_id) }],
        400,
        'invalid combination of service type mongodb and agent type mysqld_exporter',
      ],
      [
        [
          { op: 'addService', ref: 's', body: mysql({ service_type: 'valkey' }) },
          { op: 'addAgent', body: exporter(pmmAgentId, '$s') },
        ],
        400,
        'invalid combination of service type valkey and agent type mysqld_exporter',
      ],
      [
        [
          {
            op: 'addAgent',
            body: { agent_type: 'external_exporter', listen_port: 1, insights: { node_ids: [remote] } },
          },
          {
            op: 'addAgent',
            body: { agent_type: 'node_exporter', pmm_agent_id: pmmAgentId, insights: { node_ids: [remote] } },
          },
        ],
        400,
        'invalid combination of node type remote and agent type node_exporter',
      ],
    ];
    for (const [operations, status, message] of cases) {
      const reply = await atomic([{ op: 'addNode', body: node() }, ...operations]);
      expect([reply.status, reply.body.message]).toEqual([status, message]);
      expect(reply.body.details).toEqual([
        { field: `operations.${operations.length}`, reason: expect.any(String), message },
      ]);
      await nothingIsDone(before);
    }
  });

  test('fills one transaction, and is refused with the item count above that', async () => {
    const { node_id: id } = await addNode(inventory);
    // A service on a node needs: the service, its change, its dependents counter, its name, an edge; and once for all
    // the dependents counter of the node.
    const services = (many: number) =>
      Array.from({ length: many }, () => ({ op: 'addService', body: mysql({ node_ids: [id] }) }));
    const before = await count();
    const reply = await atomic(services(20));
    expect([reply.status, reply.body.code]).toEqual([400, 3]);
    expect(reply.body.details[0]).toMatchObject({ field: 'operations', reason: 'too_many' });
    expect(reply.body.message).toContain('requires 101 items');
    await nothingIsDone(before);
    expect(statuses(await atomic(services(19)))).toHaveLength(19);
    expect(statuses(await atomic(Array.from({ length: 20 }, () => ({ op: 'addNode', body: node() }))))).toHaveLength(
      20,
    );
  });

  test('adds, declares, changes and removes objects with the replies of separate requests', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const { node_id: old } = await addNode(inventory, { region: 'eu-8', address: 'here' });
    const { service_id: moved } = await addService(inventory, { node_ids: [old, nodeId] });
    const { service_id: only } = await addService(inventory, { node_ids: [old] });
    const { service_name: kept } = await addService(inventory);
    const reply = await atomic([
      { op: 'addNode', ref: 'n', body: node() },
      { op: 'changeService', id: moved, if_match: 1, body: { node_ids: [nodeId], cluster: 'c' } },
      { op: 'removeService', id: only },
      { op: 'removeNode', id: old, if_match: 1 },
      { op: 'upsertNode', ref: 'u', body: node({ region: 'eu-8', address: 'here' }) },
      { op: 'upsertService', ref: 's', body: mysql({ node_ids: ['$u', '$n'] }) },
      { op: 'upsertAgent', ref: 'p', body: process('$n') },
      { op: 'upsertAgent', body: exporter('$p', '$s') },
      { op: 'upsertAgent', body: exporter(pmmAgentId, '$s') },
      { op: 'upsertService', body: mysql({ service_name: kept, cluster: 'x' }) },
      { op: 'changeNode', id: nodeId, body: {} },
    ]);
    const said = reply.body.results.map(({ status, outcome }: any) => [status, outcome]);
    expect(said).toEqual([
      [201, undefined],
      [200, undefined],
      [204, undefined],
      [204, undefined],
      ...[1, 2, 3, 4, 5].map(() => [201, 'added']),
      [200, 'changed'],
      [200, undefined],
    ]);
    for (const { status, id, body } of reply.body.results) {
      if (status === 204) continue;
      const list = body.node_name ? 'nodes' : body.service_name ? 'services' : 'agents';
      expect(await get(`/v1/${list}/${id}`)).toEqual(unseen(body));
    }
    for (const path of [`services/${only}`, `nodes/${old}`])
      expect((await inventory.request('GET', `/v1/${path}`)).status).toBe(404);
    expect(await get(`/v1/nodes/${nodeId}`)).toMatchObject({ revision: 1 });
  });

  test('writes nothing for an equal declaration', async () => {
    const name = randomUUID();
    const operations = [
      { op: 'upsertNode', ref: 'n', body: node({ node_name: name, region: 'r' }) },
      { op: 'upsertAgent', ref: 'p', body: process('$n') },
      { op: 'upsertAgent', body: { agent_type: 'node_exporter', pmm_agent_id: '$p' } },
    ];
    const first = await atomic(operations);
    const before = await scan(inventory.table);
    const again = await atomic(operations);
    expect(again.body.results.map(({ outcome }: any) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(again.body.results.map(({ id }: any) => id)).toEqual(first.body.results.map(({ id }: any) => id));
    expect(await scan(inventory.table)).toEqual(before);
  });

  test('lets an operation use a value that an earlier one frees, but not a later one', async () => {
    const { node_id: id, node_name: name } = await addNode(inventory, { region: 'eu-6', address: 'here' });
    const { service_id: service, service_name: serviceName } = await addService(inventory, {
      node_ids: [id],
      cluster: 'c',
    });
    const place = { op: 'addNode', body: node({ region: 'eu-6', address: 'here' }) };
    const leave = { op: 'changeNode', id, body: { address: 'there' } };
    expect((await atomic([place, leave])).body).toMatchObject({ code: 6, details: [{ field: 'operations.0' }] });
    expect(statuses(await atomic([leave, place]))).toEqual([200, 201]);
    // The same name, edge and label index entries.
    const successor = { op: 'addService', body: mysql({ service_name: serviceName, node_ids: [id], cluster: 'c' }) };
    const replaced = await atomic([{ op: 'removeService', id: service }, successor]);
    expect(statuses(replaced)).toEqual([204, 201]);
    const next = replaced.body.results[1].id;
    expect((await get('/v1/services?cluster=c')).services.map((service: any) => service.service_id)).toContain(next);
    expect((await get(`/v1/services?node_id=${id}`)).services).toEqual([replaced.body.results[1].body]);
    // A node is removed after the objects on it, and added again with its name.
    const parts = [
      { op: 'removeService', id: next },
      { op: 'removeNode', id },
      { op: 'addNode', body: node({ node_name: name }) },
    ];
    expect((await atomic([parts[1], parts[0]])).body).toMatchObject({ code: 9, details: [{ field: 'operations.0' }] });
    expect(statuses(await atomic(parts))).toEqual([204, 204, 201]);
  });

  test('names the refused operation and writes nothing', async () => {
    const { nodeId, pmmAgentId } = await addHost(inventory);
    const { node_id: busy } = await addNode(inventory);
    const { service_id: service } = await addService(inventory, { node_ids: [busy] });
    const { node_id: free, node_name: name } = await addNode(inventory);
    const before = await scan(inventory.table);
    const field = 'operations.1';
    const cases: [unknown[], number, object][] = [
      [
        [{ op: 'removeNode', id: busy }],
        400,
        { message: `Node with ID "${busy}" has services.`, details: [{ field }] },
      ],
      [[{ op: 'removeAgent', id: randomUUID() }], 404, { details: [{ field }] }],
      [[{ op: 'changeNode', id: free, if_match: 2, body: { distro: 'x' } }], 412, { code: 9, details: [{ field }] }],
      [[{ op: 'upsertNode', if_none_match: '*', body: node({ node_name: name }) }], 412, { details: [{ field }] }],
      [[{ op: 'upsertNode', body: node({ node_name: name, node_type: 'remote' }) }], 409, { details: [{ field }] }],
      [
        [{ op: 'changeNode', id: free, body: { container_id: 'c' } }],
        400,
        { code: 3, details: [{ field: `${field}.body.container_id`, reason: 'unknown_field' }] },
      ],
      [
        [{ op: 'upsertAgent', body: { agent_type: 'external_exporter', listen_port: 1 } }],
        400,
        { code: 3, details: [{ field: `${field}.body.insights` }] },
      ],
      [[{ op: 'changeService', id: service, body: { node_ids: ['gone'] } }], 404, { details: [{ field }] }],
      [
        [{ op: 'changeAgent', id: pmmAgentId, body: { insights: { node_ids: [nodeId] } } }],
        400,
        { details: [{ field }] },
      ],
      [
        [
          { op: 'removeNode', id: free },
          { op: 'addService', body: mysql({ node_ids: [free] }) },
        ],
        404,
        { message: `Node with ID "${free}" not found.`, details: [{ field: 'operations.2' }] },
      ],
      [
        [
          { op: 'addService', body: mysql({ node_ids: [free] }) },
          { op: 'removeNode', id: free },
        ],
        400,
        { message: `Node with ID "${free}" has services.`, details: [{ field: 'operations.2' }] },
      ],
    ];
    for (const [operations, status, body] of cases) {
      const reply = await atomic([{ op: 'addNode', body: node() }, ...operations]);
      expect([operations, reply]).toEqual([operations, expect.objectContaining({ status })]);
      expect(reply.body).toMatchObject(body);
    }
    expect(await scan(inventory.table)).toEqual(before);
  });

  test('contains at most one operation for an object', async () => {
    const { node_id: id, node_name } = await addNode(inventory);
    const { nodeId } = await addHost(inventory);
    const name = randomUUID();
    const agent = { agent_type: 'external_exporter', listen_port: 1, runs_on_node_id: nodeId };
    const change = { op: 'changeNode', id, body: { distro: 'x' } };
    const cases: unknown[][] = [
      [change, change],
      [change, { op: 'removeNode', id }],
      [
        { op: 'removeNode', id },
        { op: 'upsertNode', body: node({ node_name }) },
      ],
      [{ op: 'upsertNode', body: node({ node_name }) }, change],
      [
        { op: 'addNode', ref: 'n', body: node() },
        { op: 'changeNode', id: '$n', body: {} },
      ],
      [
        { op: 'addNode', body: node({ node_name: name }) },
        { op: 'upsertNode', body: node({ node_name: name }) },
      ],
      [
        { op: 'upsertNode', body: node({ node_name: name }) },
        { op: 'upsertNode', body: node({ node_name: name }) },
      ],
      [
        { op: 'addAgent', body: agent },
        { op: 'upsertAgent', body: agent },
      ],
    ];
    const before = await scan(inventory.table);
    for (const operations of cases) {
      const reply = await atomic(operations);
      expect([operations, reply.status, reply.body.message]).toEqual([
        operations,
        400,
        expect.stringContaining('Refers to the same object as operations.0'),
      ]);
      expect(reply.body.details).toEqual([expect.objectContaining({ field: 'operations.1' })]);
    }
    expect(await scan(inventory.table)).toEqual(before);
  });

  test('declares the same agent as a separate request: the declared one, else the oldest', async () => {
    const { nodeId } = await addHost(inventory);
    const agent = { agent_type: 'external_exporter', listen_port: 1, runs_on_node_id: nodeId };
    const { agent_id: oldest } = (await inventory.request('POST', '/v1/agents', { body: agent })).body;
    for (const outcome of ['changed', 'unchanged']) {
      const reply = await atomic([
        { op: 'addAgent', body: agent },
        { op: 'upsertAgent', body: { ...agent, listen_port: 2 } },
      ]);
      expect(reply.body.results).toMatchObject([
        { status: 201, body: { listen_port: 1 } },
        { status: 200, id: oldest, outcome },
      ]);
    }
  });

  test('refuses a taken name at the operation that needs it, also when the name is declared later', async () => {
    const { node_name } = await addNode(inventory);
    const reply = await atomic([
      { op: 'addNode', body: node({ node_name }) },
      { op: 'upsertNode', body: node({ node_name }) },
    ]);
    expect([reply.status, reply.body.details]).toEqual([409, [expect.objectContaining({ field: 'operations.0' })]]);
  });

  test('names the taken value, also when both values would have one place in a list', async () => {
    const { nodeId } = await addHost(inventory);
    const { service_id: id, service_name } = await addService(inventory, { node_ids: [nodeId] });
    const reply = await atomic([
      { op: 'changeService', id, body: { node_ids: [], environment: 'x' } },
      { op: 'addService', body: mysql({ service_name, environment: 'x' }) },
    ]);
    const violation = { field: 'operations.1', message: `Service with name "${service_name}" already exists.` };
    expect([reply.status, reply.body.details]).toEqual([409, [expect.objectContaining(violation)]]);
  });

  test('takes at most the bytes of one transaction', async () => {
    const custom_labels = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`l${index}`, '\u20ac'.repeat(1000)]),
    );
    const nodes = await Promise.all(Array.from({ length: 8 }, () => addNode(inventory, { custom_labels })));
    const changes = (count: number) =>
      nodes.slice(0, count).map(({ node_id: id }) => ({ op: 'changeNode', id, body: { distro: 'x' } }));
    const reply = await atomic(changes(8));
    expect([reply.status, reply.body.details]).toEqual([
      400,
      [expect.objectContaining({ field: 'operations', reason: 'too_many' })],
    ]);
    expect(statuses(await atomic(changes(6)))).toHaveLength(6);
  });

  test('takes effect as a whole or not at all beside many others for the same objects', async () => {
    const { node_id: id, node_name } = await addNode(inventory);
    const { service_id: service, service_name } = await addService(inventory);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        atomic(
          index % 2 === 0
            ? [
                { op: 'changeNode', id, body: { custom_labels: { [`n${index}`]: 'x' } } },
                { op: 'changeService', id: service, body: { custom_labels: { [`s${index}`]: 'x' } } },
                { op: 'addService', body: mysql({ node_ids: [id] }) },
              ]
            : [
                { op: 'upsertNode', ref: 'n', body: node({ node_name, distro: `${index}` }) },
                { op: 'upsertService', body: mysql({ service_name, version: `${index}`, node_ids: ['$n'] }) },
              ],
        ),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    // All twelve changed both objects, and none overwrote another one.
    const [n, s] = [await get(`/v1/nodes/${id}`), await get(`/v1/services/${service}`)];
    expect([n.revision, s.revision]).toEqual([13, 13]);
    expect(n.distro).toBe(s.version);
    expect(Object.keys(n.custom_labels).map((label) => label.slice(1))).toEqual(
      Object.keys(s.custom_labels).map((label) => label.slice(1)),
    );
  });

  test('with an Idempotency-Key takes effect once, and keeps its reply after later changes', async () => {
    const { node_id: id } = await addNode(inventory);
    const send = (operations: unknown[], key: string) =>
      inventory.request('POST', '/v1/batch', {
        body: { operations, atomic: true },
        headers: { 'Idempotency-Key': key },
        as: 'Editor',
      });
    const [key, name] = [randomUUID(), randomUUID()];
    const operations = [
      { op: 'upsertNode', ref: 'n', body: node({ node_name: name }) },
      { op: 'changeNode', id, if_match: 1, body: { distro: 'x' } },
      { op: 'addService', body: mysql({ node_ids: ['$n', id] }) },
    ];
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(operations, key)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies[0]!.body.results.map(({ outcome }: any) => outcome)).toEqual(['added', undefined, undefined]);
    await inventory.request('DELETE', `/v1/nodes/${id}?force=true`);
    expect((await send(operations, key)).text).toBe(replies[0]!.text);
    expect((await send(operations.slice(0, 1), key)).status).toBe(422);
    // For large objects only the ids are kept, and returned from the first reply on.
    const large = Array.from({ length: 3 }, () => ({
      op: 'addNode',
      body: node({
        custom_labels: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`l${at}`, '\u20ac'.repeat(1000)])),
      }),
    }));
    const second = randomUUID();
    const first = await send(large, second);
    expect(first.body.results).toEqual(large.map(() => ({ status: 201, id: expect.any(String) })));
    expect((await send(large, second)).text).toBe(first.text);
    const unchanged = [{ op: 'upsertNode', body: node({ node_name: name }) }];
    expect((await send(unchanged, 'third')).text).toBe((await send(unchanged, 'third')).text);
  });

  test('must be atomic to have an Idempotency-Key', async () => {
    const before = await count();
    const reply = await inventory.request('POST', '/v1/batch', {
      body: { operations: [{ op: 'addNode', body: node() }] },
      headers: { 'Idempotency-Key': 'k' },
    });
    expect(reply).toMatchObject({
      status: 400,
      body: { details: [{ field: 'Idempotency-Key', reason: 'not_allowed' }] },
    });
    await nothingIsDone(before);
  });

  test('removes nothing but what is named', async () => {
    const reply = await atomic([
      { op: 'addNode', body: node() },
      { op: 'removeNode', id: randomUUID(), force: true },
    ]);
    expect(reply.body.details).toEqual([
      expect.objectContaining({ field: 'operations.1.force', reason: 'not_allowed' }),
    ]);
  });

  test('simultaneous atomic batches on one node each take effect as a whole or not at all', async () => {
    const { node_id: id } = await addNode(inventory);
    const name = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        atomic([
          { op: 'addService', body: mysql({ node_ids: [id] }) },
          { op: 'addNode', body: node({ node_name: index < 4 ? name : randomUUID() }) },
        ]),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
    expect((await get(`/v1/services?node_id=${id}`)).services).toHaveLength(5);
  });
});

// What these two add is large: they are the last, because the whole table is read after each test.

// As many as a batch may have take seconds of CPU: the short form has a fifth of them.
const hosts = inFull(20, 4);

test(`${hosts * 25} operations that build on each other all succeed`, async () => {
  const operations = Array.from({ length: hosts }, (_, host) => [
    { op: 'addNode', ref: `n${host}`, body: node() },
    { op: 'addAgent', ref: `p${host}`, body: process(`$n${host}`) },
    ...Array.from({ length: 11 }, (_, index) => [
      { op: 'addService', ref: `s${host}.${index}`, body: mysql({ node_ids: [`$n${host}`] }) },
      { op: 'addAgent', body: exporter(`$p${host}`, `$s${host}.${index}`) },
    ]).flat(),
    { op: 'changeNode', id: `$n${host}`, body: { distro: 'x' } },
  ]).flat();
  expect(operations).toHaveLength(hosts * 25);
  const reply = await run(operations);
  expect(statuses(reply)).toEqual(operations.map(({ op }) => (op === 'changeNode' ? 200 : 201)));
});

testInFull('of objects too large for one reply the body is left out, and the id says where to get it', async () => {
  const custom_labels = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`l${index}`, '"'.repeat(1024)]));
  const { node_id: id } = await addNode(inventory, { custom_labels });
  const reply = await run(
    Array.from({ length: 40 }, (_, index) => ({ op: 'changeNode', id, body: { distro: String(index) } })),
  );
  expect(statuses(reply)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(Buffer.byteLength(JSON.stringify(reply.text))).toBeLessThan(6_000_000);
  expect(reply.body.results[0].body.distro).toBe('0');
  expect(reply.body.results[39]).toEqual({ status: 200, id });
  expect((await get(`/v1/nodes/${id}`)).distro).toBe('39');
});

test('a batch in which no operation can be performed is unavailable as a whole', async () => {
  let left = 0;
  const busy = await startInventory({
    table: (table) =>
      disturbed(table, [
        (command, next) => {
          if (!isTransaction(command) || left === 0) return next(command);
          left -= 1;
          return Promise.reject(new ApiError('unavailable', 'Busy.'));
        },
      ]),
  });
  const send = (refusals: number) => {
    left = refusals;
    const operations = [1, 2].map(() => ({ op: 'addNode', body: node() }));
    return busy.request('POST', '/v1/batch', { body: { operations } });
  };
  try {
    const headers = { 'Retry-After': expect.anything() };
    expect(await send(2)).toMatchObject({ status: 503, body: { message: 'Busy.' }, headers });
    expect(statuses(await send(1)).sort()).toEqual([201, 503]);
  } finally {
    await busy.stop();
  }
});
