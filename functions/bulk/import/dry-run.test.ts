import * as z from 'zod/mini';
import { scan } from '../../../tests/consistency/invariants.ts';
import { addAll, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { importLine, type ObjectLine } from '../../domain/bulk/inventory-line.ts';
import { type Entity, idOf } from '../../store/entities/entity.ts';
import { findObjects } from '../../store/entities/get.ts';
import { dryRun } from './dry-run.ts';
import { testTime } from '../../../tests/support/test-time.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
const there = node({ node_name: 'there', region: 'eu', address: 'h1' });
const process = pmmAgent(there);
const taken = service([there], { service_name: 'taken' });
beforeAll(async () => {
  await addAll(table, there, process, taken);
});

const NOW = testTime();
const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const line = (kind: string, object: object) => z.parse(importLine, { kind, object }) as ObjectLine;
const nodeLine = (node_id: string, node_name: string, more: object = {}) =>
  line('node', { node_id, node_name, node_type: 'generic', address: 'a', ...more });
const serviceLine = (service_id: string, service_name: string, node_ids: string[] = []) =>
  line('service', { service_id, service_name, service_type: 'mysql', address: 'a', port: 1, node_ids });
const agentLine = (agent_id: string, more: object) => line('agent', { agent_id, ...more });

/** The outcomes: `added`, `changed`, `unchanged`, or the kind of the error with the missing dependencies. */
async function outcomes(...lines: readonly ObjectLine[]) {
  const wanted = lines.flatMap((line) => {
    const { kind, object } = line;
    const idField = { node: 'node_id', service: 'service_id', agent: 'agent_id' }[kind];
    const { [idField]: of, pmm_agent_id: parent } = object as unknown as Record<string, string>;
    return [{ kind, id: of! }, ...(parent === undefined ? [] : [{ kind: 'agent' as const, id: parent }])];
  });
  const object = await findObjects(table, [
    ...new Map(wanted.map((stored) => [`${stored.kind} ${stored.id}`, stored])).values(),
  ]);
  const seen = (line: ObjectLine): Entity | undefined =>
    object.find(
      (entity) =>
        entity.kind === line.kind && JSON.stringify(line.object).includes(`"${entity.kind}_id":"${idOf(entity)}"`),
    );
  const results = await dryRun(
    table,
    lines.map((line) => ({ line, seen: seen(line) })),
    object,
    NOW,
  );
  return results.map((result) =>
    typeof result === 'string'
      ? result
      : [result.error.kind, ...result.missing.map((missing) => `${missing.kind} ${missing.id}`)],
  );
}

const asIs = nodeLine(idOf(there), 'there', { region: 'eu', address: 'h1' });

test('a dry run returns the effect of each line and writes nothing', async () => {
  const before = await scan(table);
  expect(
    await outcomes(
      nodeLine(id(1), 'new'),
      asIs,
      nodeLine(idOf(there), 'there', { region: 'eu', address: 'h2' }),
      serviceLine(id(2), 'taken'),
    ),
  ).toEqual(['added', 'unchanged', 'changed', ['alreadyExists']]);
  expect(await scan(table)).toEqual(before);
});

test('a line considers earlier lines: names, freed addresses and dependencies', async () => {
  expect(await outcomes(nodeLine(id(1), 'same'), nodeLine(id(2), 'same'))).toEqual(['added', ['alreadyExists']]);
  const move = nodeLine(idOf(there), 'there', { region: 'eu', address: 'h2' });
  const takes = nodeLine(id(1), 'new', { region: 'eu', address: 'h1' });
  expect(await outcomes(move, takes)).toEqual(['changed', 'added']);
  expect(await outcomes(takes, move)).toEqual([['alreadyExists'], 'changed']);
  expect(await outcomes(nodeLine(id(1), 'new'), serviceLine(id(2), 's', [id(1)]))).toEqual(['added', 'added']);
  expect(await outcomes(serviceLine(id(2), 's', [id(1)]), nodeLine(id(1), 'new'))).toEqual([
    ['notFound', `node ${id(1)}`],
    'added',
  ]);
});

test('an agent finds its pmm_agent in the table or an earlier line, or is refused', async () => {
  const pmm = agentLine(id(1), { agent_type: 'pmm_agent', runs_on_node_id: idOf(there) });
  const under = (parent: string, more: object = {}) =>
    agentLine(id(2), { agent_type: 'node_exporter', pmm_agent_id: parent, ...more });
  expect(await outcomes(under(idOf(process)))).toEqual(['added']);
  expect(await outcomes(pmm, under(id(1)))).toEqual(['added', 'added']);
  expect(await outcomes(under(id(9)))).toEqual([['notFound', `agent ${id(9)}`]]);
  expect(await outcomes(under(idOf(process), { runs_on_node_id: id(9) }))).toEqual([['failedPrecondition']]);
});

test('missing dependencies are named only if they are the only reason', async () => {
  const watching = (...services: string[]) =>
    agentLine(id(3), {
      ...{ agent_type: 'postgres_exporter', pmm_agent_id: idOf(process) },
      insights: { node_ids: [], service_ids: services },
    });
  expect(await outcomes(watching(id(8), id(9)))).toEqual([['notFound', `service ${id(8)}`, `service ${id(9)}`]]);
  // The stored service has another type.
  expect(await outcomes(watching(idOf(taken)))).toEqual([['failedPrecondition']]);
  expect(await outcomes(watching(id(8), idOf(taken)))).toEqual([['notFound']]);
});
