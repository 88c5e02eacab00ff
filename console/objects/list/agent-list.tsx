import SpaceBetween from '@cloudscape-design/components/space-between';
import { type AgentRelation, agentsOf } from '../../model/agents-of.tsx';
import { agents } from '../../model/kinds.tsx';
import { HealthText } from '../cells/health-status.tsx';
import { NameLink } from '../cells/name-link.tsx';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { useLoad } from '../../ui/use-load.tsx';

/** Maximum number of names. The page of the object lists all. */
const MAX_AGENTS = 5;

/** The agents of one object within a row, each with its health. */
export function AgentList({ relation, id }: { relation: AgentRelation; id: string }) {
  const load = () => agentsOf(relation, id);
  const { value, failure, loadedAt } = useLoad(['agents of a row', relation, id], load, COSTLY_STATES_MS);
  if (failure !== undefined) return <>Could not be loaded</>;
  if (value === undefined) return <>…</>;
  if (value.length === 0) return <>None</>;
  return (
    <LoadedAtContext value={loadedAt}>
      <SpaceBetween size="xxs">
        {value.slice(0, MAX_AGENTS).map((agent) => (
          <SpaceBetween key={agent.agent_id} direction="horizontal" size="xs">
            <NameLink kind={agents} object={agent} />
            <HealthText object={agent} brief />
          </SpaceBetween>
        ))}
        {value.length > MAX_AGENTS && <span>and {value.length - MAX_AGENTS} more</span>}
      </SpaceBetween>
    </LoadedAtContext>
  );
}
