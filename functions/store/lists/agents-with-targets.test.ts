import type { Table } from '../../../shared/db/table.ts';
import { Contention } from '../../../shared/db/contention.ts';
import { addAll, contextOf, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { wipe } from '../../../tests/consistency/invariants.ts';
import { startTable } from '../../../tests/support/table.ts';
import { idOf } from '../entities/entity.ts';
import { changeObject } from '../inventory/entities.ts';
import { removeObject } from '../inventory/remove.ts';
import { readAgentsWithTargets } from './agents-with-targets.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable()));
afterAll(() => stop());
afterEach(() => wipe(table));

async function world() {
  const [place, elsewhere, third] = [node(), node(), node()];
  const process = pmmAgent(place);
  const [target, remote] = [service([third]), service([elsewhere])];
  const [own, without] = [exporter(process, [remote]), external({ services: [target] })];
  await addAll(table, place, elsewhere, third, process, target, remote, own, without);
  return { place, elsewhere, third, process, target, remote, own, without };
}

const types = ['external_exporter', 'mysqld_exporter'] as const;
const read = async (at = table) => {
  const { agents, nodes, services } = await readAgentsWithTargets(at, types);
  return {
    agents: agents.map(({ agent_id: id }) => id),
    nodes: new Set(nodes.keys()),
    services: new Set(services.keys()),
  };
};
const ids = (...entities: readonly { kind: string }[]) => entities.map((one) => idOf(one as never));

test('the agents of these types, with the nodes and services that they refer to', async () => {
  const { place, third, target, remote, own, without } = await world();
  // The node of the service of an agent without a place is read too; that of a placed agent is not.
  expect(await read()).toEqual({
    agents: ids(without, own),
    nodes: new Set(ids(place, third)),
    services: new Set(ids(target, remote)),
  });
});

/** The table; `change` is called after this many calls. */
function changing(calls: number, change: () => Promise<unknown>): Table {
  let left = calls;
  const send = async (command: any) => {
    left -= 1;
    if (left === 0) await change();
    return table.client.send(command);
  };
  return { name: table.name, client: { send } as never };
}

test('an agent that is removed in the meantime is left out', async () => {
  const { place, without } = await world();
  const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
  const first = await read(changing(3, () => removeObject(table, 'node', idOf(place), options)));
  expect(first.agents).toEqual(ids(without));
});

test('a service that moves to another node in the meantime is read again', async () => {
  const { elsewhere, third, target, own, without } = await world();
  const move = async () => {
    const asked = { kind: 'service', id: idOf(target), ifMatch: undefined, writeContext: contextOf() } as const;
    await changeObject(table, asked, (old) => ({ ...old, node_ids: [idOf(elsewhere)] }));
    const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
    await removeObject(table, 'node', idOf(third), options);
  };
  // After the agents and the services were read, before their nodes.
  const found = await read(changing(5, move));
  expect(found.agents).toEqual(ids(without, own));
  expect([found.nodes.has(idOf(elsewhere)), found.nodes.has(idOf(third))]).toEqual([true, false]);
});

test('six rounds at most', async () => {
  await world();
  let reads = 0;
  const hiding: Table = {
    name: table.name,
    client: {
      send: async (command: any) => {
        const keys = command.input.RequestItems?.[table.name]?.Keys ?? [];
        if (!keys.some(({ pk }: { pk: string }) => pk.startsWith('SERVICE#'))) return table.client.send(command);
        reads += 1;
        return { Responses: {} };
      },
    } as never,
  };
  await expect(read(hiding)).rejects.toBeInstanceOf(Contention);
  expect(reads).toBe(6);
});
