import { connectPaths, idFor, plainId } from './generation.ts';

test("the path of a call determines the agent's generation", () => {
  expect([...connectPaths]).toEqual([
    ['/agent.Agent/Connect', 2],
    ['/agent.v1.AgentService/Connect', 3],
  ]);
});

test.each([
  [2, 'agent', '/agent_id/x'],
  [2, 'node', '/node_id/x'],
  [3, 'agent', 'x'],
  [3, 'node', 'x'],
] as const)('PMM %i reads the id of an %s as %s, which is the same id for us', (generation, kind, text) => {
  expect(idFor(generation, kind, 'x')).toBe(text);
  expect(plainId(text)).toBe('x');
});

test('only a leading prefix is removed from an id', () => {
  expect(['/service_id/x', 'x/agent_id/y', '/agent_id/'].map(plainId)).toEqual(['/service_id/x', 'x/agent_id/y', '']);
});
