import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import TextFilter from '@cloudscape-design/components/text-filter';
import { useEffect, useState } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { type Service, services, textOf } from '../model/kinds.tsx';
import { plural } from '../ui/words.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { failureOf } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { go, href } from '../ui/route.tsx';
import { Words } from '../ui/breakable-text.tsx';

/** The most that a page of a list can have: the API has no list of clusters, so they are gathered from the services. */
const PAGE_SIZE = '1000';

interface Cluster {
  name: string;
  services: number;
  nodes: ReadonlySet<string>;
  types: ReadonlySet<string>;
  environments: ReadonlySet<string>;
}

function clustersOf(read: readonly Service[]): Cluster[] {
  const names = new Map<string, Service[]>();
  for (const service of read) {
    const name = textOf(service, 'cluster');
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), service]);
  }
  return [...names]
    .map(([name, members]) => ({
      name,
      services: members.length,
      nodes: new Set(members.flatMap(({ node_ids: ids }) => ids)),
      types: new Set(members.map(({ service_type: type }) => type)),
      environments: new Set(members.flatMap((service) => textOf(service, 'environment') ?? [])),
    }))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** Services, read page by page as far as the user wants. */
function useServices() {
  const [read, setRead] = useState<readonly Service[]>([]);
  const [next, setNext] = useState<string>();
  const [loading, setLoading] = useState(true);
  const [failure, setFailure] = useState<ApiFailure>();
  const readOn = async (token: string | undefined, before: readonly Service[], signal?: AbortSignal) => {
    setLoading(true);
    setFailure(undefined);
    try {
      const page = await services.list({ page_size: PAGE_SIZE, page_token: token }, { signal });
      setRead([...before, ...page.objects]);
      setNext(page.next);
    } catch (error) {
      if (signal?.aborted === true) return;
      setFailure(failureOf(error));
    }
    setLoading(false);
  };
  useEffect(() => {
    const controller = new AbortController();
    void readOn(undefined, [], controller.signal);
    return () => controller.abort();
  }, []);
  return {
    read,
    next,
    loading,
    failure,
    readFurther: () => void readOn(next, read),
    reload: () => void readOn(undefined, []),
  };
}

const listed = (values: ReadonlySet<string>) => (values.size === 0 ? '-' : [...values].sort().join(', '));

/** The clusters that services say they are part of. */
export function ClustersPage() {
  usePageTitle('Clusters');
  const narrow = useNarrow();
  const [filter, setFilter] = useState('');
  const { read, next, loading, failure, readFurther, reload } = useServices();
  const all = clustersOf(read);
  const clusters = all.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()));
  const isFirstLoad = loading && read.length === 0;
  // What was not read yet may belong to any of them.
  const counted = (count: number) => `${count}${next === undefined ? '' : '+'}`;

  return (
    <Table
      variant="full-page"
      stickyHeader
      items={clusters}
      trackBy="name"
      wrapLines
      loading={isFirstLoad}
      loadingText="Loading clusters"
      ariaLabels={{ tableLabel: 'Clusters' }}
      columnDefinitions={[
        {
          id: 'name',
          header: 'Cluster',
          isRowHeader: true,
          cell: ({ name }) => (
            <Link href={href(['clusters', name])}>
              <Words text={name} />
            </Link>
          ),
        },
        { id: 'services', header: 'Services', cell: (cluster) => counted(cluster.services) },
        { id: 'nodes', header: 'Nodes', cell: (cluster) => counted(cluster.nodes.size) },
        ...(narrow
          ? []
          : [
              { id: 'types', header: 'Types', cell: (cluster: Cluster) => listed(cluster.types) },
              { id: 'environments', header: 'Environments', cell: (cluster: Cluster) => listed(cluster.environments) },
            ]),
      ]}
      header={
        <Header
          variant="awsui-h1-sticky"
          counter={isFirstLoad ? undefined : `(${counted(all.length)})`}
          description="Services with the same cluster name, with their nodes and agents."
          actions={
            <Button
              iconName="refresh"
              ariaLabel="Reload the clusters"
              loading={loading && !isFirstLoad}
              onClick={reload}
            />
          }
        >
          Clusters
        </Header>
      }
      filter={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (filter !== '') go(href(['clusters', filter]));
          }}
        >
          <TextFilter
            filteringText={filter}
            filteringPlaceholder="Find clusters"
            filteringAriaLabel="Find clusters"
            countText={`${clusters.length} ${clusters.length === 1 ? 'match' : 'matches'}`}
            onChange={({ detail }) => setFilter(detail.filteringText)}
          />
        </form>
      }
      footer={
        next !== undefined && (
          <Box textAlign="center">
            <SpaceBetween size="xs" direction="vertical">
              {failure !== undefined && <FailureAlert failure={failure} what="More services could not be loaded" />}
              <Box color="text-body-secondary">
                These are the clusters of the first {plural(read.length, 'service')} by name. More services exist.
              </Box>
              <Button loading={loading} onClick={readFurther}>
                Load more
              </Button>
            </SpaceBetween>
          </Box>
        )
      }
      empty={
        failure !== undefined ? (
          <FailureAlert failure={failure} what="The clusters could not be loaded" retry={reload} />
        ) : (
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="s">
              <b>{filter === '' ? 'No clusters' : 'No cluster matches'}</b>
              {filter === '' ? (
                <Box color="text-body-secondary">To add a service to a cluster, set its field Cluster.</Box>
              ) : (
                next !== undefined && (
                  <Button href={href(['clusters', filter])}>Search all services for exactly this name</Button>
                )
              )}
            </SpaceBetween>
          </Box>
        )
      }
    />
  );
}
