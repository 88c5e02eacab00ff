import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { requestOf } from '../api/client.tsx';
import { type Node, nodes, shortId, textOf } from '../model/kinds.tsx';
import { presentObjects } from '../model/object-cache.tsx';
import { AgentList } from '../objects/list/agent-list.tsx';
import { HealthText } from '../objects/cells/health-status.tsx';
import { NameLink } from '../objects/cells/name-link.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { LoadedAtContext } from '../ui/loaded-at.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { Words } from '../ui/breakable-text.tsx';

/** A selector takes up to 50 ids. */
const PAGE_SIZE = 25;

/** A node of the cluster by its id; without `node` while it is loaded, or if it has been removed. */
interface Row {
  id: string;
  node: Node | undefined;
}

/** The list of the nodes with these ids, with their states. */
const queryOf = (ids: readonly string[]) => ({
  selector: `node_id in (${ids.join(',')})`,
  include: 'state',
  page_size: String(PAGE_SIZE),
});

const loadNodes = async (ids: readonly string[]): Promise<Map<string, Node>> =>
  new Map((await presentObjects(nodes, ids)).map((node) => [node.node_id, node]));

function placeOf(node: Node): string | undefined {
  const parts = [textOf(node, 'region'), textOf(node, 'az')].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' / ');
}

const nameOf = ({ id, node }: Row) =>
  node === undefined ? <span title={id}>{shortId(id)}</span> : <NameLink kind={nodes} object={node} />;

const healthOfRow = ({ node }: Row) => (node === undefined ? '…' : <HealthText object={node} />);

const addressOf = ({ node }: Row) => <Words text={node?.address ?? '…'} />;

const agentsOn = ({ id }: Row) => <AgentList relation="runs_on_node_id" id={id} />;

const columns: readonly BaseColumn<Row>[] = [
  { id: 'name', header: 'Node', isRowHeader: true, cell: nameOf },
  { id: 'health', header: 'Health', minWidth: 150, cell: healthOfRow },
  { id: 'address', header: 'Address', cell: addressOf },
  {
    id: 'place',
    header: 'Region and zone',
    cell: ({ node }) => <Words text={node === undefined ? '…' : (placeOf(node) ?? '-')} />,
  },
  { id: 'agents', header: 'Agents that run on it', cell: agentsOn },
];

/** The nodes that the services of a cluster run on, with the agents there that have them as targets. */
export function ClusterNodes({ ids }: { ids: readonly string[] }) {
  const narrow = useNarrow();
  const { items: shown, ...page } = usePagedItems(ids, PAGE_SIZE);
  const { value, loadedAt } = useLoad(['nodes of a cluster', shown], () => loadNodes(shown), STATES_MS);
  return (
    <LoadedAtContext value={loadedAt}>
      <Table
        items={shown.map((id) => ({ id, node: value?.get(id) }))}
        {...page}
        trackBy="id"
        ariaLabels={{ tableLabel: 'Nodes of the cluster' }}
        columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
        header={
          <Header
            variant="h2"
            counter={`(${ids.length})`}
            description="The nodes of these services."
            actions={
              <ShowCurl
                what="Nodes of the cluster"
                request={requestOf(nodes.contracts.list, { query: queryOf(shown) })}
              />
            }
          >
            Nodes of the cluster
          </Header>
        }
      />
    </LoadedAtContext>
  );
}
