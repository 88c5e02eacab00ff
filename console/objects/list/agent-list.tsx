import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { type AgentRelation, agentsOf } from '../../model/agents-of.tsx';
import { healthOf } from '../../model/health.ts';
import { type Agent, agents } from '../../model/kinds.tsx';
import { HealthText } from '../cells/health-status.tsx';
import { COSTLY_STATES_MS } from '../../ui/auto-refresh.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { href } from '../../ui/route.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import { plural } from '../../ui/words.ts';

/** Maximum number of names. The page of the object lists all. */
const MAX_AGENTS = 5;

/** The type of an agent, with the start of its id if several in the row have the type. The row names the host. */
const nameIn = (row: readonly Agent[], agent: Agent): string =>
  row.filter(({ agent_type: type }) => type === agent.agent_type).length > 1 ? agents.nameOf(agent) : agent.agent_type;

/** The agents within a row: those that are not well with their health, and the number of the others. */
export function AgentNames({ of: all }: { of: readonly Agent[] }) {
  const ill = all.filter((agent) => healthOf(agent)?.isGood !== true);
  const good = all.length - ill.length;
  if (all.length === 0) return <>None</>;
  return (
    <SpaceBetween size="xxs">
      {ill.slice(0, MAX_AGENTS).map((agent) => (
        <SpaceBetween key={agent.agent_id} direction="horizontal" size="xs">
          <Link href={href(['agents', agent.agent_id])}>
            <Words text={nameIn(ill, agent)} />
          </Link>
          <HealthText object={agent} reason="none" />
        </SpaceBetween>
      ))}
      {ill.length > MAX_AGENTS && <span>and {ill.length - MAX_AGENTS} more</span>}
      {good > 0 && <StatusIndicator type="success">{`${plural(good, 'agent')} running`}</StatusIndicator>}
    </SpaceBetween>
  );
}

/** The agents of one object within a row, which are loaded for it once its table has been seen. */
export function AgentList({ relation, id, isSeen }: { relation: AgentRelation; id: string; isSeen: boolean }) {
  const load = isSeen ? () => agentsOf(relation, id) : undefined;
  const { value, failure, loadedAt } = useLoad(['agents of a row', relation, id], load, COSTLY_STATES_MS);
  if (failure !== undefined) return <>Could not be loaded</>;
  if (value === undefined) return <>…</>;
  return (
    <LoadedAtContext value={loadedAt}>
      <AgentNames of={value} />
    </LoadedAtContext>
  );
}
