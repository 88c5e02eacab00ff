import {
  keptFields,
  newAgent,
  statusAfterChange,
  statusesAfter,
  statusTransitions,
  targetsOrDefault,
} from './lifecycle.ts';
import { agentStatuses } from './types.ts';

const none = { node_ids: [], service_ids: [] };
const body = (more: object = {}) => ({
  agent_type: 'node_exporter' as const,
  disabled: false,
  insights: none,
  ...more,
});

test('a type that monitors its own node gets it as default target, if it has a place', () => {
  const at = { runs_on_node_id: 'n' };
  expect(targetsOrDefault('node_exporter', none, at)).toEqual({ node_ids: ['n'], service_ids: [] });
  expect(targetsOrDefault('node_exporter', none, {})).toEqual(none);
  expect(targetsOrDefault('mysqld_exporter', none, at)).toEqual(none);
  for (const insights of [
    { node_ids: ['m'], service_ids: [] },
    { node_ids: [], service_ids: ['s'] },
  ])
    expect(targetsOrDefault('node_exporter', insights, at)).toEqual(insights);
});

test('a new agent is unknown, or done when it is disabled; an agent process is not connected', () => {
  expect(newAgent(body(), {})).toMatchObject({ status: 'unknown' });
  expect(newAgent(body({ disabled: true }), {})).toMatchObject({ status: 'done' });
  const process = newAgent({ ...body(), agent_type: 'pmm_agent' }, { runs_on_node_id: 'n' });
  expect(process).toMatchObject({ connected: false, runs_on_node_id: 'n' });
  expect(process).not.toHaveProperty('status');
});

test('disabling an agent sets its status to done, and no other change affects it', () => {
  expect(statusAfterChange({ disabled: true, status: 'running' })).toEqual({ disabled: true, status: 'done' });
  for (const agent of [
    { disabled: false, status: 'running' },
    { disabled: true, connected: true },
  ])
    expect(statusAfterChange(agent)).toEqual(agent);
});

test('an agent under a pmm_agent runs on its node, other agents state their node', () => {
  expect(keptFields({ pmm_agent_id: 'p' })).toContain('runs_on_node_id');
  expect(keptFields({})).not.toContain('runs_on_node_id');
  expect(keptFields({})).toEqual(expect.arrayContaining(['agent_id', 'status', 'connected', 'registered', 'revision']));
});

test('an agent starts, runs, stops, is done and starts again, and never reports unknown', () => {
  const life = [
    'starting',
    'running',
    'waiting',
    'starting',
    'waiting',
    'stopping',
    'done',
    'starting',
    'stopping',
  ] as const;
  for (const [index, next] of life.slice(1).entries()) expect(statusTransitions[life[index]!]).toContain(next);
  for (const impossible of [
    ['running', 'done'],
    ['stopping', 'running'],
    ['done', 'running'],
    ['starting', 'done'],
  ] as const)
    expect(statusTransitions[impossible[0]]).not.toContain(impossible[1]);
  expect(statusTransitions.unknown).toEqual(agentStatuses.slice(1));
  for (const status of agentStatuses) expect(statusTransitions[status]).not.toContain('unknown');
});

test('any status may follow one from a newer version', () => {
  expect(statusesAfter('newer' as never)).toEqual(statusTransitions.unknown);
  expect(statusesAfter('done')).toEqual(statusTransitions.done);
});
