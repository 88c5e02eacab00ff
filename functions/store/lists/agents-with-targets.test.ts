import type { Table } from '../../../shared/db/table.ts';
import { inFull } from '../../../shared/testing/extent.ts';
import fc from '../../../shared/testing/fast-check.ts';
import { Contention } from '../../../shared/db/contention.ts';
import { addAll, contextOf, exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { wipe } from '../../../tests/consistency/invariants.ts';
import { startTable, withSend } from '../../../tests/support/table.ts';
import type { Shard } from '../../domain/discovery/shard.ts';
import { idOf } from '../entities/entity.ts';
import { takeReport } from '../heartbeats/report.ts';
import { changeObject } from '../inventory/entities.ts';
import { removeObject } from '../inventory/remove.ts';
import { readAgentsWithTargets, readReferencesOf } from './agents-with-targets.ts';
import { testTime } from '../../../tests/support/test-time.ts';

let table: Table;
let stop: () => Promise<void>;
beforeAll(async () => ({ table, stop } = await startTable(/"(NODE|SERVICE|HEARTBEATS)#/)));
afterAll(() => stop());
afterEach(() => wipe(table));

async function world() {
  const [place, elsewhere, third] = [node(), node(), node()];
  const process = pmmAgent(place);
  const [target, remote] = [service([third]), service([elsewhere])];
  const [placed, without] = [exporter(process, [remote], { listen_port: 1 }), external({ services: [target] })];
  await addAll(table, place, elsewhere, third, process, target, remote, placed, without);
  return { place, elsewhere, third, process, target, remote, placed, without };
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
const ids = (...entities: readonly { kind: string }[]) => entities.map((entity) => idOf(entity as never));

test('reads all agents of the given types, with the nodes and services that they refer to', async () => {
  const { place, third, target, remote, placed, without } = await world();
  // For an agent without a place its service's node is read too, for a placed agent not.
  expect(await read()).toEqual({
    agents: ids(without, placed),
    nodes: new Set(ids(place, third)),
    services: new Set(ids(target, remote)),
  });
});

test('reads the nodes and services that given agents refer to', async () => {
  const { place, third, target, remote, placed, without } = await world();
  const { nodes, services } = await readReferencesOf(table, [placed.object, without.object]);
  expect([new Set(nodes.keys()), new Set(services.keys())]).toEqual([
    new Set(ids(place, third)),
    new Set(ids(target, remote)),
  ]);
});

/** The table; `change` is called after this many calls. */
function changing(calls: number, change: () => Promise<unknown>): Table {
  let left = calls;
  const send = async (command: any) => {
    left -= 1;
    if (left === 0) await change();
    return table.client.send(command);
  };
  return withSend(table, send);
}

test('an agent that is removed in the meantime is left out', async () => {
  const { place, without } = await world();
  const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
  const first = await read(changing(3, () => removeObject(table, 'node', idOf(place), options)));
  expect(first.agents).toEqual(ids(without));
});

test('a service that moves to another node in the meantime is read again', async () => {
  const { elsewhere, third, target, placed, without } = await world();
  const move = async () => {
    const asked = { kind: 'service', id: idOf(target), ifMatch: undefined, writeContext: contextOf() } as const;
    await changeObject(table, asked, (old) => ({ ...old, node_ids: [idOf(elsewhere)] }));
    const options = { force: true, ifMatch: undefined, writeContext: contextOf() };
    await removeObject(table, 'node', idOf(third), options);
  };
  // After the agents and the services were read, before their nodes.
  const reread = await read(changing(5, move));
  expect(reread.agents).toEqual(ids(without, placed));
  expect([reread.nodes.has(idOf(elsewhere)), reread.nodes.has(idOf(third))]).toEqual([true, false]);
});

test('gives up after six rounds', async () => {
  await world();
  let reads = 0;
  const hiding: Table = withSend(table, async (command: any) => {
    const keys = command.input.RequestItems?.[table.name]?.Keys ?? [];
    if (!keys.some(({ pk }: { pk: string }) => pk.startsWith('SERVICE#'))) return table.client.send(command);
    reads += 1;
    return { Responses: {} };
  });
  await expect(read(hiding)).rejects.toBeInstanceOf(Contention);
  expect(reads).toBe(6);
});

test('shards are disjoint and together complete, and each contains what its agents refer to', async () => {
  const scraped = fc.record({ agent_id: fc.uuid(), isPlaced: fc.boolean() });
  const fleet = fc.uniqueArray(scraped, { maxLength: 12, selector: ({ agent_id: id }) => id });
  await fc.assert(
    fc.asyncProperty(fleet, fc.integer({ min: 1, max: 64 }), async (agents, count) => {
      const place = node();
      const process = pmmAgent(place);
      const target = service([place]);
      await addAll(table, place, process, target);
      for (const { agent_id, isPlaced } of agents)
        await addAll(
          table,
          isPlaced ? exporter(process, [target], { agent_id }) : external({ services: [target] }, { agent_id }),
        );
      const all = await readAgentsWithTargets(table, types);
      const shards = await Promise.all(
        Array.from({ length: count }, (_, index) => readAgentsWithTargets(table, types, { shard: { index, count } })),
      );
      const shardAgentIds = shards.flatMap((shard) => shard.agents.map((agent) => agent.agent_id));
      expect(shardAgentIds.toSorted()).toEqual(all.agents.map((agent) => agent.agent_id).sort());
      expect(shardAgentIds).toHaveLength(agents.length);
      for (const shard of shards)
        expect([shard.nodes.size, shard.services.size]).toEqual(shard.agents.length === 0 ? [0, 0] : [1, 1]);
      await wipe(table);
    }),
    { numRuns: inFull(15, 5) },
  );
});

test('a shard reads only its part of the agents', async () => {
  await world();
  const ranges: unknown[] = [];
  const seen: Table = withSend(table, (command: any) => {
    if (command.input.ExpressionAttributeValues !== undefined)
      ranges.push(Object.values(command.input.ExpressionAttributeValues));
    return table.client.send(command);
  });
  await readAgentsWithTargets(seen, ['external_exporter'], { shard: { index: 1, count: 4 } });
  expect(ranges).toEqual([['AGENTS', 'external_exporter#40000000', 'external_exporter#80000000']]);
});

describe('reported ports', () => {
  const NOW = testTime();

  /** As many hosts as one transaction can add. */
  const ADDED_AT_ONCE = 3;

  /** Hosts with an exporter that has reported a port. */
  async function hosts(count: number, declared?: number) {
    const ports = new Map<string, number>();
    const added = Array.from({ length: count }, () => {
      const place = node();
      const process = pmmAgent(place);
      return [place, process, exporter(process, [], declared === undefined ? {} : { listen_port: declared })] as const;
    });
    for (let start = 0; start < count; start += ADDED_AT_ONCE)
      await addAll(table, ...added.slice(start, start + ADDED_AT_ONCE).flat());
    for (const [index, [, process, addedExporter]] of added.entries()) {
      const agents = [{ agent_id: idOf(addedExporter), status: 'running' as const, listen_port: 40_000 + index }];
      const report = { pmmAgentId: idOf(process), contents: { agents }, scope: undefined, limit: undefined, now: NOW };
      await takeReport(table, report);
      ports.set(idOf(addedExporter), 40_000 + index);
    }
    return ports;
  }

  /** The ports, and the commands that read heartbeats. */
  async function portsWith(shard: Shard) {
    const commands: string[] = [];
    const send = (command: any) => {
      const { constructor: of, input } = command;
      if (JSON.stringify(input).includes('HEARTBEATS#')) commands.push(`${of.name} ${input.Limit ?? 'of keys'}`);
      return table.client.send(command);
    };
    const at: Table = withSend(table, send);
    return { ports: (await readAgentsWithTargets(at, types, { shard })).reportedPorts, commands: new Set(commands) };
  }

  test('are read by key for a few hosts, and not at all for declared ports', async () => {
    const all = { index: 0, count: 1 };
    await hosts(2, 9104);
    expect(await portsWith(all)).toEqual({ ports: new Map(), commands: new Set() });
    await wipe(table);
    const ports = await hosts(2);
    expect(await portsWith(all)).toEqual({ ports, commands: new Set(['BatchGetCommand of keys']) });
  });

  test('are read from all heartbeats for many hosts, and by key for one of many parts', async () => {
    const ports = await hosts(130);
    // 500 of a partition at a time, and one more, which says whether others follow.
    expect(await portsWith({ index: 0, count: 1 })).toEqual({ ports, commands: new Set(['QueryCommand 501']) });
    const parts = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => portsWith({ index, count: 9 })));
    const portsOfParts = new Map(parts.flatMap((part) => [...part.ports]));
    expect(portsOfParts).toEqual(ports);
    expect(new Set(parts.flatMap(({ commands }) => [...commands]))).toEqual(new Set(['BatchGetCommand of keys']));
  });
});
