import { connectPaths, idFor, plainId } from './generation.ts';

test('the path of a call tells the generation of an agent', () => {
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

test('only a prefix at the start is none of the id', () => {
  expect(['/service_id/x', 'x/agent_id/y', '/agent_id/'].map(plainId)).toEqual(['/service_id/x', 'x/agent_id/y', '']);
});
