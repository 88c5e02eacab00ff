import * as z from 'zod/mini';
import { importLine, type ObjectLine } from '../../domain/bulk/inventory-line.ts';
import { exporter, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { idOf } from '../../store/entities/entity.ts';
import { addedByImport, changedByImport, completed, parentOf } from './merge-line.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const OLD = '2026-01-01T00:00:00.000Z';

const lineOf = (kind: string, object: object) => z.parse(importLine, { kind, object }) as ObjectLine;

const place = node({ node_name: 'n', created_at: OLD, updated_at: OLD, revision: 4 });
const process = pmmAgent(place);
const target = service([place]);
const agent = exporter(process, [target], { registered: true, revision: 3, status: 'running' });

const nodeLine = (more: object = {}) =>
  lineOf('node', { node_id: idOf(place), node_type: 'generic', node_name: 'n', address: 'b', ...more });
const serviceLine = (more: object = {}) => {
  const { service_id, service_type, service_name } = target.object;
  return lineOf('service', { service_id, service_type, service_name, address: 'a', port: 1, ...more });
};
const agentLine = (more: object = {}) =>
  lineOf('agent', {
    ...{ agent_id: idOf(agent), agent_type: 'mysqld_exporter', pmm_agent_id: idOf(process) },
    ...more,
  });

describe('an added object', () => {
  test('has defaults for absent fields, and keeps a record that the line contains', () => {
    expect(addedByImport(nodeLine(), {}, NOW)).toMatchObject({
      address: 'b',
      revision: 1,
      created_at: NOW.toISOString(),
    });
    const record = { created_at: OLD, updated_at: OLD, revision: 9 };
    expect(addedByImport(nodeLine(record), {}, NOW)).toMatchObject(record);
  });

  test('does not store fields that only reads return', () => {
    const shown = { state: 'live', reported_at: OLD };
    for (const [line, names] of [
      [nodeLine(shown), ['state', 'reported_at']],
      [agentLine({ ...shown, version: '1' }), ['state', 'reported_at', 'version']],
    ] as const)
      for (const name of names) expect(Object.keys(completed(line, {}, NOW))).not.toContain(name);
  });

  test('under a pmm_agent runs on its node, and a line with another node is refused', () => {
    const at = { pmm_agent_id: idOf(process), runs_on_node_id: idOf(place) };
    expect(addedByImport(agentLine(), at, NOW)).toMatchObject({ runs_on_node_id: idOf(place), status: 'unknown' });
    expect(() => addedByImport(agentLine({ runs_on_node_id: idOf(place) }), at, NOW)).not.toThrow();
    const other = agentLine({ runs_on_node_id: idOf(node()) });
    expect(() => addedByImport(other, at, NOW)).toThrow('must run on the same node');
  });

  test('gets the default targets of its type only if the line contains none', () => {
    const line = (more: object) =>
      lineOf('agent', { agent_id: idOf(agent), agent_type: 'node_exporter', pmm_agent_id: idOf(process), ...more });
    const at = { pmm_agent_id: idOf(process), runs_on_node_id: idOf(place) };
    expect(addedByImport(line({}), at, NOW)).toMatchObject({ insights: { node_ids: [idOf(place)] } });
    const none = { node_ids: [], service_ids: [] };
    expect(addedByImport(line({ insights: none }), at, NOW)).toMatchObject({ insights: none });
  });
});

describe('a changed object', () => {
  test('has the fields of the line and keeps those of the server', () => {
    const line = nodeLine({ created_at: NOW.toISOString(), updated_at: NOW.toISOString(), revision: 77 });
    expect(changedByImport(place, line, NOW)).toEqual({
      ...{ node_id: idOf(place), node_type: 'generic', node_name: 'n', address: 'b', custom_labels: {} },
      ...{ created_at: OLD, updated_at: OLD, revision: 4 },
    });
    expect(changedByImport(agent, agentLine({ status: 'waiting' }), NOW)).toMatchObject({
      ...{ status: 'running', registered: true, revision: 3, runs_on_node_id: idOf(place) },
    });
  });

  test('may keep a value that a newer rule refuses, but not get one', () => {
    const old = node({ ...place.object, address: 'a b' });
    expect(changedByImport(old, nodeLine({ address: 'a b', distro: 'd' }), NOW)).toMatchObject({ distro: 'd' });
    expect(() => changedByImport(old, nodeLine({ address: 'c d' }), NOW)).toThrow(
      expect.objectContaining({ kind: 'invalidArgument', details: [expect.objectContaining({ field: 'address' })] }),
    );
  });

  test('is done when the line disables it', () => {
    expect(changedByImport(agent, agentLine({ disabled: true }), NOW)).toMatchObject({ status: 'done' });
  });

  test.each([
    [() => changedByImport(place, nodeLine({ node_name: 'other' }), NOW), 'Node already exists with another node_name'],
    [() => changedByImport(place, nodeLine({ node_type: 'container' }), NOW), 'another node_type'],
    [() => changedByImport(target, serviceLine({ service_name: 'other' }), NOW), 'another service_name'],
    [() => changedByImport(target, serviceLine({ service_type: 'postgresql' }), NOW), 'another service_type'],
    [() => changedByImport(agent, agentLine({ agent_type: 'vm_agent' }), NOW), 'another agent_type'],
    [() => changedByImport(agent, agentLine({ pmm_agent_id: idOf(node()) }), NOW), 'another pmm_agent_id'],
    [() => changedByImport(agent, agentLine({ runs_on_node_id: idOf(node()) }), NOW), 'another runs_on_node_id'],
  ])('keeps the fields that never change (%#)', (change, message) => {
    expect(change).toThrow(message);
    expect(change).toThrow(expect.objectContaining({ kind: 'failedPrecondition' }));
  });
});

test('the line of an agent names its pmm_agent', () => {
  expect([parentOf(agentLine()), parentOf(nodeLine())]).toEqual([idOf(process), undefined]);
});
