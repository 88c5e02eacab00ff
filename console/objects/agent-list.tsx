import SpaceBetween from '@cloudscape-design/components/space-between';
import { agents, type ListQuery } from '../model/kinds.tsx';
import { AgentStatus } from './agent-status.tsx';
import { NameLink } from './name-link.tsx';
import { useLoad } from '../ui/use-load.tsx';

/** As many are named; the page of the object that they belong to has all. */
const MAX_AGENTS = 5;

/** The agents of one object within a row, each with its state. */
export function AgentList({ filters }: { filters: ListQuery }) {
  const { value, failure } = useLoad(JSON.stringify(filters), (signal) =>
    agents.list({ ...filters, include: 'state', page_size: String(MAX_AGENTS) }, { signal }),
  );
  if (failure !== undefined) return <>Could not be loaded</>;
  if (value === undefined) return <>…</>;
  if (value.objects.length === 0) return <>None</>;
  return (
    <SpaceBetween size="xxs">
      {value.objects.map((agent) => (
        <SpaceBetween key={agent.agent_id} direction="horizontal" size="xs">
          <NameLink kind={agents} object={agent} />
          <AgentStatus agent={agent} />
        </SpaceBetween>
      ))}
      {value.next !== undefined && <span>and more</span>}
    </SpaceBetween>
  );
}
