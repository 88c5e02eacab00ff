/** Our API and both PMM generations write at once: the same effects, one owner for each name, no broken rule. */
import fc from '../../shared/testing/fast-check.ts';
import { inFull } from '../../shared/testing/extent.ts';
import { checkInvariants, wipe } from '../consistency/invariants.ts';
import { type Inventory, type Reply, startInventory } from '../support/inventory.ts';
import { repeatWhileBusy } from '../support/busy.ts';
import { useInventory } from '../support/fixtures.ts';

type Writer = 'ours' | 'third' | 'second';
const writers: readonly Writer[] = ['ours', 'third', 'second'];

interface Step {
  act: 'addNode' | 'addService' | 'addProcess' | 'addExporter' | 'changeService' | 'disable' | 'remove';
  writer: Writer;
  name: number;
  at: number;
  force: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    'changeService' as const,
    'changeService' as const,
    ...(['addNode', 'addService', 'addProcess', 'addExporter', 'changeService', 'disable', 'remove'] as const),
  ),
  writer: fc.constantFrom(...writers),
  name: fc.nat(4),
  at: fc.nat(5),
  force: fc.boolean(),
});

type Kind = 'node' | 'service' | 'agent';
const plural = { node: 'nodes', service: 'services', agent: 'agents' } as const;
const oldName = { node: 'Nodes', service: 'Services', agent: 'Agents' } as const;

/** What a run has added, in order: each object has the same place in both runs. */
interface Run {
  inventory: Inventory;
  ids: { kind: Kind; id: string; type: string }[];
}

const NEVER = '00000000-0000-4000-8000-000000000000';

const idAt = ({ ids }: Run, kind: Kind, at: number, type?: string) => {
  const matching = ids.filter(
    (candidate) => candidate.kind === kind && (type === undefined || candidate.type === type),
  );
  return matching[at % Math.max(1, matching.length)]?.id ?? NEVER;
};

const send = ({ inventory }: Run, method: string, path: string, body?: object): Promise<Reply> =>
  repeatWhileBusy(() => inventory.request(method, path, body === undefined ? {} : { body }));

/** Adds an object of a type: `body` as both APIs have it, `own` and `theirs` as each has it. */
async function add(
  run: Run,
  writer: Writer,
  {
    kind,
    type,
    title,
    body,
    ours,
    theirs,
  }: { kind: Kind; type: string; title: string; body: object; ours: object; theirs: object },
): Promise<Reply> {
  const message = { ...body, ...theirs };
  const reply =
    writer === 'ours'
      ? await send(run, 'POST', `/v1/${plural[kind]}`, { [`${kind}_type`]: type, ...body, ...ours })
      : writer === 'third'
        ? await send(run, 'POST', `/v1/inventory/${plural[kind]}`, { [type]: message })
        : await send(run, 'POST', `/v1/inventory/${oldName[kind]}/Add${title}`, message);
  if (reply.status >= 300) return reply;
  const object = writer === 'ours' ? reply.body : reply.body[type];
  run.ids.push({ kind, type, id: object[`${kind}_id`].replace(/^\/\w+_id\//, '') });
  return reply;
}

function change(run: Run, writer: Writer, { act, at, name }: Step): Promise<Reply> {
  if (act === 'changeService') {
    const id = idAt(run, 'service', at);
    const body = { environment: `e${name}`, cluster: name % 2 === 0 ? 'c' : '' };
    if (writer === 'ours') return send(run, 'PATCH', `/v1/services/${id}`, { ...body, cluster: body.cluster || null });
    if (writer === 'third') return send(run, 'PUT', `/v1/inventory/services/${id}`, body);
    return send(run, 'POST', '/v1/inventory/Services/Change', { service_id: id, ...body });
  }
  const id = idAt(run, 'agent', at, 'mysqld_exporter');
  const isOn = name % 2 === 0;
  if (writer === 'ours') return send(run, 'PATCH', `/v1/agents/${id}`, { disabled: !isOn });
  if (writer === 'third') return send(run, 'PUT', `/v1/inventory/agents/${id}`, { mysqld_exporter: { enable: isOn } });
  const common = isOn ? { enable: true } : { disable: true };
  return send(run, 'POST', '/v1/inventory/Agents/ChangeMySQLdExporter', { agent_id: `/agent_id/${id}`, common });
}

function remove(run: Run, writer: Writer, { at, name, force }: Step): Promise<Reply> {
  const kind = (['node', 'service', 'agent'] as const)[name % 3]!;
  const id = idAt(run, kind, at);
  if (writer === 'ours') return send(run, 'DELETE', `/v1/${plural[kind]}/${id}?force=${String(force)}`);
  if (writer === 'third')
    return send(run, 'DELETE', `/v1/inventory/${plural[kind]}/${id}${force ? '?force=true' : ''}`);
  return send(run, 'POST', `/v1/inventory/${oldName[kind]}/Remove`, { [`${kind}_id`]: id, force });
}

async function take(run: Run, writer: Writer, stepToTake: Step): Promise<Reply> {
  const { act, name, at } = stepToTake;
  switch (act) {
    case 'addNode':
      return add(run, writer, {
        ...{ kind: 'node', type: 'generic', title: 'Generic', ours: {}, theirs: {} },
        body: { node_name: `n${name}`, address: `a${at}`, ...(at === 0 ? { region: 'eu' } : {}) },
      });
    case 'addService': {
      const id = idAt(run, 'node', at);
      const body = { service_name: `s${name}`, address: 'a', port: 3306, custom_labels: { n: String(name) } };
      return add(run, writer, {
        ...{ kind: 'service', type: 'mysql', title: 'MySQL', body, ours: { node_ids: [id] }, theirs: { node_id: id } },
      });
    }
    case 'addProcess':
      return add(run, writer, {
        ...{ kind: 'agent', type: 'pmm_agent', title: 'PMMAgent', ours: {}, theirs: {} },
        body: { runs_on_node_id: idAt(run, 'node', at) },
      });
    case 'addExporter': {
      const id = idAt(run, 'service', name);
      const body = { pmm_agent_id: idAt(run, 'agent', at, 'pmm_agent'), username: 'u', tls: true };
      return add(run, writer, {
        ...{ kind: 'agent', type: 'mysqld_exporter', title: 'MySQLdExporter', body },
        ...{ ours: { insights: { service_ids: [id] } }, theirs: { service_id: id } },
      });
    }
    case 'remove':
      return remove(run, writer, stepToTake);
    default:
      return change(run, writer, stepToTake);
  }
}

/** Everything, with an object's place in the add order instead of its id. */
async function shown({ inventory, ids }: Run): Promise<unknown[]> {
  const { text } = await inventory.request('GET', '/v1/export');
  const named = ids.reduce((all, { id }, index) => all.replaceAll(id, `object ${index}`), text);
  const lines = named
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"kind":"end"'))
    .map((line) => {
      const { kind, object } = JSON.parse(line);
      const { created_at: _, updated_at: __, ...rest } = object;
      return JSON.stringify({ kind, ...rest });
    });
  return lines.sort();
}

/** The outcome as all APIs tell it. */
const outcomeOf = ({ status, body }: Reply) => (status < 300 ? 'done' : `${status} ${body.code}`);

test('a sequence of writes has the same effect and refusals through any API', async () => {
  const [first, other] = await Promise.all([startInventory(), startInventory()]);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const ours: Run = { inventory: first, ids: [] };
        const mixed: Run = { inventory: other, ids: [] };
        await Promise.all([wipe(first.table), wipe(other.table)]);
        for (const each of steps) {
          const [left, right] = await Promise.all([take(ours, 'ours', each), take(mixed, each.writer, each)]);
          expect([each, outcomeOf(right)]).toEqual([each, outcomeOf(left)]);
        }
        expect(await shown(mixed)).toEqual(await shown(ours));
        expect(await checkInvariants(other.table)).toEqual([]);
      }),
      { numRuns: inFull(40, 5) },
    );
  } finally {
    await Promise.all([first.stop(), other.stop()]);
  }
});

describe('simultaneously', () => {
  const inventory = useInventory();
  beforeEach(() => wipe(inventory.table));

  test('one of many adds of a name succeeds, and the others are refused', async () => {
    const run: Run = { inventory, ids: [] };
    const body = { node_name: 'same', address: 'a' };
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(run, writers[index % 3]!, { kind: 'node', type: 'generic', title: 'Generic', body, ours: {}, theirs: {} }),
      ),
    );
    expect(all.map(outcomeOf).sort()).toEqual([...Array.from({ length: 11 }, () => '409 6'), 'done']);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });

  test('many registrations of a host leave one node, one agent process and one node_exporter', async () => {
    const body = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: 'host', address: 'a', reregister: true };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        repeatWhileBusy(() => inventory.request('POST', '/v1/management/nodes', { body })),
      ),
    );
    expect(new Set(replies.map(({ status, text }) => (status === 200 ? '' : text)))).toEqual(new Set(['']));
    expect(new Set(replies.map((reply) => reply.body.generic_node.node_id)).size).toBe(1);
    expect(new Set(replies.map((reply) => reply.body.pmm_agent.agent_id)).size).toBe(1);
    const { agents } = (await inventory.request('GET', '/v1/agents')).body;
    expect(agents.map((agent: any) => agent.agent_type).sort()).toEqual(['node_exporter', 'pmm_agent']);
    expect(await checkInvariants(inventory.table)).toEqual([]);
  });

  test('a service with its agents is added as a whole or not at all to a node that is removed with force', async () => {
    for (let round = 0; round < 6; round += 1) {
      const host = { node_type: 'NODE_TYPE_GENERIC_NODE', node_name: `h${round}`, address: 'a' };
      const { body } = await inventory.request('POST', '/v1/management/nodes', { body: host });
      const { node_id: nodeId } = body.generic_node;
      const service = {
        ...{ node_id: nodeId, pmm_agent_id: body.pmm_agent.agent_id, service_name: `db${round}`, username: 'u' },
        ...{ socket: '/s', qan_mysql_slowlog: true },
      };
      await Promise.all([
        repeatWhileBusy(() => inventory.request('POST', '/v1/management/services', { body: { mysql: service } })),
        repeatWhileBusy(() => inventory.request('DELETE', `/v1/nodes/${nodeId}?force=true`)),
      ]);
      const { services } = (await inventory.request('GET', '/v1/services')).body;
      expect(services).toEqual([]);
      expect(await checkInvariants(inventory.table)).toEqual([]);
    }
  });
});
