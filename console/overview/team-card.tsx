import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { readGroups } from '../model/groups.tsx';
import { sumsOf, totalOf } from '../model/health.ts';
import { agents, type InventoryObject, type Kind, nodes, services } from '../model/kinds.tsx';
import { type OwnerLimit, useOwnerLimit } from '../model/own-objects.tsx';
import { teamFilters } from '../model/team-scope.tsx';
import { GroupList, type ListedGroup } from '../objects/list/group-list.tsx';
import { COSTLY_STATES_MS } from '../ui/auto-refresh.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { href } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.tsx';

async function countsOf<T extends InventoryObject>(
  kind: Kind<T>,
  limit: OwnerLimit,
  signal: AbortSignal,
): Promise<ListedGroup> {
  const filters = teamFilters(limit);
  const { groups } = await readGroups(kind, filters, 'state', signal);
  const counts = sumsOf(groups.map(({ by_state: byState }) => byState));
  return { value: kind.title, count: totalOf(counts), counts, to: href([kind.folder], filters) };
}

function Team({ limit }: { limit: OwnerLimit }) {
  const load = (signal: AbortSignal) =>
    Promise.all([countsOf(nodes, limit, signal), countsOf(services, limit, signal), countsOf(agents, limit, signal)]);
  const { value, failure, reload } = useLoad(['team', ...limit.owners], load, COSTLY_STATES_MS);
  const title = `Your ${limit.label}: ${limit.owners.join(', ')}`;
  return (
    <Container header={<Header variant="h2">{title}</Header>}>
      {failure !== undefined && (
        <FailureAlert failure={failure} what="Your objects could not be counted" retry={reload} />
      )}
      {value !== undefined && <GroupList label={title} groups={value} />}
    </Container>
  );
}

/** The objects that a user with owners writes. The rest of the overview is about all objects. */
export function TeamCard() {
  const limit = useOwnerLimit();
  return limit === undefined ? null : <Team limit={limit} />;
}
