import type { Agent } from '../store/entities/entity.ts';
import * as z from 'zod/mini';
import { exporter, node, pmmAgent, service } from '../../tests/support/store.ts';
import { agentAddition, agentChange } from '../domain/agent/schema.ts';
import { agentUpsertion, changedAgent, declaredAgent, keyOfDeclared, newAgentAt } from './agent.ts';

const now = new Date('2026-05-01T10:00:00Z');
const context = { newId: () => 'id', now };
const place = node();
const process = pmmAgent(place);
const at = { pmm_agent_id: process.object.agent_id, runs_on_node_id: place.object.node_id };
const target = service([place]);
const addition = (more: object = {}) =>
  z.parse(agentAddition, { agent_type: 'node_exporter', pmm_agent_id: at.pmm_agent_id, ...more });
const ownHost = { node_ids: [at.runs_on_node_id], service_ids: [] };
const none = { node_ids: [], service_ids: [] };

const old = exporter(process, [], {
  ...newAgentAt(context, addition(), at),
  status: 'running',
  registered: true,
}).object;
const change = (more: object, of: Agent = old) => changedAgent(of, z.parse(agentChange, more));

test('a new agent has its place, default targets and first status', () => {
  expect(newAgentAt(context, addition(), at)).toMatchObject({
    ...{ agent_id: 'id', ...at, insights: ownHost, status: 'unknown', revision: 1, created_at: now.toISOString() },
  });
  expect(newAgentAt(context, addition({ disabled: true }), at)).toMatchObject({ status: 'done' });
  const other = { node_ids: [], service_ids: [target.object.service_id] };
  const mysqld = addition({ agent_type: 'mysqld_exporter', insights: other });
  expect(newAgentAt(context, mysqld, at)).toMatchObject({ insights: other });
  const pmm = z.parse(agentAddition, { agent_type: 'pmm_agent', runs_on_node_id: at.runs_on_node_id });
  expect(newAgentAt(context, pmm, {})).toMatchObject({ connected: false });
  expect(newAgentAt(context, pmm, {})).not.toHaveProperty('status');
});

describe('a change', () => {
  test('keeps the place, the record and the registration', () => {
    expect(change({ custom_labels: { a: 'b' } })).toEqual({ ...old, custom_labels: { a: 'b' } });
  });

  test('that clears the targets sets the defaults; any other change keeps them', () => {
    expect(change({ insights: { node_ids: [] } })).toMatchObject({ insights: ownHost });
    const cleared = { ...old, insights: none };
    expect(change({ disabled: false }, cleared)).toMatchObject({ insights: none });
    expect(change({ insights: { node_ids: [] } }, cleared)).toMatchObject({ insights: ownHost });
  });

  test('that disables the agent sets its status to done, which stays until the first report after it is enabled', () => {
    expect(change({ disabled: true })).toMatchObject({ status: 'done' });
    expect(change({ disabled: false }, { ...old, disabled: true, status: 'done' })).toMatchObject({ status: 'done' });
    expect(change({})).toMatchObject({ status: 'running' });
  });
});

test('a declared agent keeps its place and targets, and gets defaults for cleared targets', () => {
  expect(declaredAgent(old, addition())).toEqual(old);
  expect(declaredAgent({ ...old, insights: none }, addition())).toMatchObject({ insights: ownHost });
  expect(declaredAgent({ ...old, custom_labels: { a: 'b' } }, addition())).toMatchObject({ custom_labels: {} });
  expect(declaredAgent(old, addition({ disabled: true }))).toMatchObject({ disabled: true, status: 'done' });
});

test('an agent is declared by a place or targets', () => {
  const external = (more: object) =>
    z.parse(agentAddition, { agent_type: 'external_exporter', listen_port: 1, ...more });
  expect(() => keyOfDeclared(external({}))).toThrow(
    expect.objectContaining({ kind: 'invalidArgument', details: [expect.objectContaining({ field: 'insights' })] }),
  );
  for (const more of [
    { runs_on_node_id: at.runs_on_node_id },
    { insights: { node_ids: [at.runs_on_node_id] } },
    { insights: { service_ids: [target.object.service_id] } },
  ])
    expect(keyOfDeclared(external(more))).toMatchObject(more);
  expect(keyOfDeclared(addition())).toMatchObject({ pmm_agent_id: at.pmm_agent_id });
});

test('the place is read only for an agent that must be added', async () => {
  let reads = 0;
  const upsertion = agentUpsertion(context, addition(), () => {
    reads += 1;
    return Promise.resolve(at);
  });
  expect(upsertion.next(old)).toEqual(old);
  expect(reads).toBe(0);
  expect(await upsertion.add()).toMatchObject({ ...at, insights: ownHost });
});
