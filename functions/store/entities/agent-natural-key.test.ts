import { agentKey, agentKeys, type KeyedAgent, meantByKey } from './agent-natural-key.ts';

const agent = (more: Partial<KeyedAgent> = {}): KeyedAgent => ({
  agent_type: 'node_exporter',
  pmm_agent_id: 'p',
  runs_on_node_id: 'n',
  insights: { node_ids: [], service_ids: [] },
  ...more,
});
const targets = (node_ids: string[], service_ids: string[] = []) => ({ insights: { node_ids, service_ids } });

test('the key consists of the type, the place and the targets in any order', () => {
  expect(agentKey(agent(targets(['a', 'b'])))).toBe(agentKey(agent(targets(['b', 'a']))));
  const others = [
    agent(),
    agent({ agent_type: 'vm_agent' }),
    agent({ pmm_agent_id: 'q' }),
    agent({ pmm_agent_id: undefined }),
    agent({ pmm_agent_id: undefined, runs_on_node_id: 'p' }),
    agent(targets(['a'])),
    agent(targets([], ['a'])),
    agent(targets(['a'], ['a'])),
  ];
  expect(new Set(others.map(agentKey)).size).toBe(others.length);
});

test('under a pmm_agent the node is not part of the key', () => {
  expect(agentKey(agent())).toBe(agentKey(agent({ runs_on_node_id: undefined })));
  const alone = { pmm_agent_id: undefined };
  expect(agentKey(agent(alone))).not.toBe(agentKey(agent({ ...alone, runs_on_node_id: 'm' })));
});

test('an agent that monitors only its own node also has the key without targets', () => {
  const ownAgent = agent(targets(['n']));
  expect(agentKeys(ownAgent)).toEqual([agentKey(ownAgent), agentKey(agent())]);
  for (const other of [agent(targets(['m'])), agent(targets(['n', 'm'])), agent(targets(['n'], ['s'])), agent()])
    expect(agentKeys(other)).toEqual([agentKey(other)]);
  // Only types that watch their node by default.
  expect(agentKeys(agent({ ...targets(['n']), agent_type: 'external_exporter' }))).toHaveLength(1);
});

test('of equal agents a registered one is chosen, else the oldest, else the first by id', () => {
  const agentOf = (agent_id: string, created_at: string, registered?: true) => ({
    agent_id,
    created_at,
    ...(registered === undefined ? {} : { registered }),
  });
  const [old, young] = [agentOf('b', '2026-01-01'), agentOf('a', '2026-01-02')];
  expect(meantByKey([young, old])).toBe(old);
  expect(meantByKey([old, agentOf('c', '2026-01-03', true)])).toMatchObject({ agent_id: 'c' });
  expect(meantByKey([agentOf('b', '2026-01-01'), agentOf('a', '2026-01-01')])).toMatchObject({ agent_id: 'a' });
  expect(meantByKey([old].slice(1))).toBeUndefined();
});
