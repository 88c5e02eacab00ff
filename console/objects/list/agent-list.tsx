import SpaceBetween from '@cloudscape-design/components/space-between';
import { agents, type ListQuery } from '../../model/kinds.tsx';
import { HealthText } from '../cells/health-status.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { useLoad } from '../../ui/use-load.tsx';

/** Maximum number of names. The page of the object lists all. */
const MAX_AGENTS = 5;

/** The agents of one object within a row, each with its health. */
export function AgentList({ filters }: { filters: ListQuery }) {
  const { value, failure, loadedAt } = useLoad(
    ['agents of a row', filters],
    (signal) => agents.list({ ...filters, include: 'state', page_size: String(MAX_AGENTS) }, { signal }),
    COSTLY_STATES_MS,
  );
  if (failure !== undefined) return <>Could not be loaded</>;
  if (value === undefined) return <>…</>;
  if (value.objects.length === 0) return <>None</>;
  return (
    <LoadedAtContext value={loadedAt}>
      <SpaceBetween size="xxs">
        {value.objects.map((agent) => (
          <SpaceBetween key={agent.agent_id} direction="horizontal" size="xs">
            <NameLink kind={agents} object={agent} />
            <HealthText object={agent} brief />
          </SpaceBetween>
        ))}
        {value.next !== undefined && <span>and more</span>}
      </SpaceBetween>
    </LoadedAtContext>
  );
}
