import { readFile } from 'node:fs/promises';
import { MAX_INSIGHTS_PER_KIND } from '../functions/domain/agent/schema.ts';
import { agentTypeEntry, type AgentType, agentTypes } from '../functions/domain/agent/types.ts';
import { nodeTypes } from '../functions/domain/node/types.ts';
import { serviceTypes } from '../functions/domain/service/types.ts';

const text = await readFile(new URL('../docs/model.md', import.meta.url), 'utf8');

/** By agent: its services and its nodes, as the table of the document states them. */
const stated = new Map(
  [...text.matchAll(/^\| (`[a-z_`, ]+) \| ([^|]+) \| ([^|]+) \|$/gm)].flatMap(([, agents = '', services, nodes]) =>
    [...agents.matchAll(/`(\w+)`/g)].map(([, agent = '']) => [agent, { services, nodes }] as const),
  ),
);

function typesText(types: readonly string[], all: readonly string[]): string {
  if (types.length === 0) return 'none';
  return types.length === all.length ? 'every type' : types.map((type) => `\`${type}\``).join(', ');
}

test.each(agentTypes.filter((type) => type !== 'pmm_agent'))('docs/model.md states what a %s can monitor', (type) => {
  const { services, nodes, watchesItsNode } = agentTypeEntry(type);
  expect(stated.get(type)).toEqual({
    services: typesText(services, serviceTypes),
    nodes: typesText(nodes, nodeTypes) + (watchesItsNode === true ? '; its own node by default' : ''),
  });
});

test('docs/model.md names no other agent, and which one has no targets or process', () => {
  expect([...stated.keys(), 'pmm_agent'].toSorted()).toEqual(agentTypes.toSorted());
  expect(text).toContain(`at most ${MAX_INSIGHTS_PER_KIND} nodes and ${MAX_INSIGHTS_PER_KIND} services`);
  const withoutProcess = (type: AgentType) => agentTypeEntry(type).place !== 'pmm_agent';
  expect(agentTypes.filter(withoutProcess)).toEqual(['pmm_agent', 'otel_collector', 'external_exporter']);
  expect(agentTypeEntry('pmm_agent')).toMatchObject({ services: [], nodes: [] });
});
