import * as z from 'zod/mini';
import { agentReport } from './report.ts';
import { agentAddition, agentChange, agentDesired, agentImport, MAX_INSIGHTS_PER_KIND } from './schema.ts';
import { agentTypeEntry, agentTypes } from './types.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ids = (count: number) => Array.from({ length: count }, (_, index) => id(index));
const accepts = (schema: z.ZodMiniType, value: object) => z.safeParse(schema, value).success;

const exporter = (more: object = {}) => ({ agent_type: 'mysqld_exporter', pmm_agent_id: id(1), ...more });

test('each type runs on a node, under a pmm_agent, or on either', () => {
  for (const agent_type of agentTypes) {
    const { place, required = [] } = agentTypeEntry(agent_type);
    const values = { listen_port: 1, azure_database_resource_type: 'mysql', collector_name: 'otelcol' };
    const options = Object.fromEntries(
      Object.entries(values).filter(([name]) => required.some((requiredName) => requiredName === name)),
    );
    const valid = (more: object) => accepts(agentAddition, { agent_type, ...options, ...more });
    expect([agent_type, valid({}), valid({ runs_on_node_id: id(1) }), valid({ pmm_agent_id: id(1) })]).toEqual([
      ...[agent_type, place === 'anywhere', place !== 'pmm_agent', place === 'pmm_agent'],
    ]);
  }
});

test('an agent has up to 20 targets of each kind, each once', () => {
  expect(MAX_INSIGHTS_PER_KIND).toBe(20);
  for (const kind of ['node_ids', 'service_ids']) {
    const valid = (list: string[]) => accepts(agentAddition, exporter({ insights: { [kind]: list } }));
    expect([valid(ids(20)), valid(ids(21)), valid([id(1), id(1)])]).toEqual([true, false, false]);
  }
  const named = (count: number) => ({
    ...{ agent_type: 'mysqld_exporter', runs_on_node_name: 'n' },
    insights: { service_names: ids(count) },
  });
  expect([accepts(agentDesired, named(20)), accepts(agentDesired, named(21))]).toEqual([true, false]);
});

test('an add has defaults, and accepts only the options of its type', () => {
  expect(z.parse(agentAddition, exporter())).toMatchObject({
    ...{ disabled: false, custom_labels: {}, insights: { node_ids: [], service_ids: [] } },
  });
  expect(accepts(agentAddition, exporter({ scheme: 'http' }))).toBe(false);
  expect(accepts(agentAddition, { agent_type: 'external_exporter', listen_port: 1, scheme: 'http' })).toBe(true);
  expect(accepts(agentAddition, { agent_type: 'external_exporter' })).toBe(false);
  expect(accepts(agentAddition, exporter({ status: 'running' }))).toBe(false);
});

test('an import may contain what only reads return; a change may clear fields', () => {
  const line = exporter({ agent_id: id(2), runs_on_node_id: id(3), status: 'running', version: '1', state: 'live' });
  expect(accepts(agentImport, line)).toBe(true);
  expect(accepts(agentImport, { ...line, connected: true })).toBe(false);
  expect(accepts(agentChange, { insights: null, disabled: null, custom_labels: { a: null }, listen_port: null })).toBe(
    true,
  );
  expect(accepts(agentChange, { agent_type: 'vm_agent' })).toBe(false);
});

test('a report contains up to 200 agents, each once', () => {
  const report = (list: string[]) =>
    accepts(agentReport, { agents: list.map((agent_id) => ({ agent_id, status: 'running' })) });
  expect([report([]), report(ids(200)), report(ids(201)), report([id(1), id(1)])]).toEqual([true, true, false, false]);
});
