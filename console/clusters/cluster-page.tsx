import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { endpoint as getClusterStates } from '../../functions/api/clusters/states/endpoint.ts';
import { call } from '../api/client.tsx';
import { useDashboards } from '../model/dashboards.tsx';
import { lookOfAll, countsText, type StateCounts, sumsOf } from '../model/health.ts';
import { selectorOf } from '../model/silences.tsx';
import { SilenceButton } from '../objects/bulk/silence-button.tsx';
import { SilenceMarks } from '../objects/bulk/silence-marks.tsx';
import { DashboardLinks } from '../objects/page/dashboard-links.tsx';
import { StateHistory } from '../objects/page/state-history.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { RefreshControl } from '../ui/refresh-control.tsx';
import { href, useRoute } from '../ui/route.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { plural } from '../ui/words.ts';
import { ClusterActions } from './cluster-actions.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';
import { loadOwnNodes } from './cluster-scope.tsx';
import { ClusterServices } from './cluster-services.tsx';
import { loadMembers, type Members } from './load-members.tsx';
import { MemberMapView } from './member-map-view.tsx';
import { StateBar } from '../objects/cells/state-bar.tsx';

const countsOf = ({ services }: Members): StateCounts =>
  sumsOf(services.flatMap(({ state }) => (state === undefined ? [] : [{ [state]: 1 }])));

/** The states of the services below the name, with the size of the cluster. */
function States({ members }: { members: Members }) {
  const { services, hasMore, nodes, agents } = members;
  const counts = countsOf(members);
  const look = lookOfAll(counts);
  const agentIds = new Set([...agents.values()].flat().map(({ agent_id: id }) => id));
  return (
    <SpaceBetween direction="horizontal" size="m">
      {look !== undefined && (
        <span className="cluster-health may-wrap">
          <StatusIndicator type={look}>{countsText(counts)}</StatusIndicator>
          <StateBar counts={counts} />
        </span>
      )}
      <span>
        {plural(services.length, 'service')}
        {hasMore && ' and more'} on {plural(nodes.size, 'node')}, {plural(agentIds.size, 'agent')}
      </span>
    </SpaceBetween>
  );
}

/** In place of a cluster that no service names: it may have lost its last one. */
function NoCluster({ name }: { name: string }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1">This cluster does not exist</Header>
      <div>
        No service names the cluster <bdi className="any-word">{name}</bdi>. A cluster exists while a service has its
        name in the field Cluster.
      </div>
      <SpaceBetween direction="horizontal" size="xs">
        <Button href={href(['clusters'])}>All clusters</Button>
        <Button href={href(['removed'])}>Removed objects</Button>
      </SpaceBetween>
    </SpaceBetween>
  );
}

/** One cluster: its members with their nodes and agents, as the server finds them by the name of the cluster. */
export function ClusterPage() {
  const [, name = ''] = useRoute().segments;
  usePageTitle(name, [{ text: 'Clusters', href: href(['clusters']) }]);
  const dashboards = useDashboards({ cluster: name });
  const load = (signal: AbortSignal) => loadMembers(name, signal);
  const { value: members, loading, failure, loadedAt, reload } = useLoad(['cluster', name], load, STATES_MS);

  if (members !== undefined && members.services.length === 0) return <NoCluster name={name} />;
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={
          <SpaceBetween direction="horizontal" size="m">
            {members === undefined ? <span>Cluster</span> : <States members={members} />}
            <DashboardLinks links={dashboards} inline />
          </SpaceBetween>
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <RefreshControl
              what="the cluster"
              loading={loading}
              isFailed={failure !== undefined && !loading}
              loadedAt={loadedAt}
              reload={reload}
            />
            <Button href={href(['agents'], { cluster: name })}>Agents of the cluster</Button>
            <SilenceButton
              selector={selectorOf('cluster', [name])}
              {...(members === undefined ? {} : { loadNodes: (signal) => loadOwnNodes(members, signal) })}
            />
            {members !== undefined && <ClusterActions cluster={name} members={members} reload={reload} />}
          </SpaceBetween>
        }
      >
        <bdi className="any-word">{name}</bdi>
      </Header>
      <SilenceMarks valueOf={(label) => (label === 'cluster' ? name : undefined)} />
      {failure !== undefined && (
        <FailureAlert failure={failure} what="The cluster could not be loaded" retry={reload} />
      )}
      {members === undefined && failure === undefined && <PageLoading />}
      {members !== undefined && (
        <StateHistory
          id={['cluster', name]}
          load={(signal) => call(getClusterStates, { params: { cluster: name } }, { signal })}
        />
      )}
      {members !== undefined && (
        <Container header={<Header variant="h2">Members</Header>}>
          <MemberMapView members={members} />
        </Container>
      )}
      {members !== undefined && <ClusterServices cluster={name} members={members} loadedAt={loadedAt} />}
      {members !== undefined && members.nodes.size > 0 && <ClusterNodes members={members} loadedAt={loadedAt} />}
    </SpaceBetween>
  );
}
