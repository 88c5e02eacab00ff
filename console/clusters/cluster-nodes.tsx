import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { requestOf } from '../api/client.tsx';
import { type Node, nodes, shortId, textOf } from '../model/kinds.tsx';
import { AgentList } from '../objects/list/agent-list.tsx';
import { HealthText } from '../objects/cells/health-status.tsx';
import { NameLink } from '../objects/cells/name-link.tsx';
import { LoadedAtContext } from '../ui/loaded-at.tsx';
import { ShowCurl } from '../ui/show-curl.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { usePagedItems } from '../ui/use-paged-items.tsx';
import { useSeen } from '../ui/use-seen.tsx';
import type { BaseColumn } from '../ui/base-column.ts';
import { stackedColumn } from '../ui/stacked-column.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { isGood, type Members, worstStateFirst } from './load-members.tsx';
import { useFolded } from './use-folded.tsx';
import { numberText } from '../ui/words.ts';

/** A selector takes up to 50 ids. */
const PAGE_SIZE = 25;

/** A node of the cluster by its id; without `node` if it has been removed. */
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

function placeOf(node: Node): string | undefined {
  const parts = [textOf(node, 'region'), textOf(node, 'az')].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' / ');
}

const nameOf = ({ id, node }: Row) =>
  node === undefined ? <span title={id}>{shortId(id)}</span> : <NameLink kind={nodes} object={node} />;

const healthOfRow = ({ node }: Row) => (node === undefined ? 'Removed' : <HealthText object={node} />);

const addressOf = ({ node }: Row) => <Words text={node?.address ?? '-'} />;

/** @param isSeen Whether the agents of the rows are asked for. */
const columnsOf = (isSeen: boolean): readonly BaseColumn<Row>[] => [
  { id: 'name', header: 'Node', isRowHeader: true, cell: nameOf },
  { id: 'health', header: 'Health', minWidth: 150, cell: healthOfRow },
  { id: 'address', header: 'Address', cell: addressOf },
  {
    id: 'place',
    header: 'Region and zone',
    cell: ({ node }) => <Words text={node === undefined ? '-' : (placeOf(node) ?? '-')} />,
  },
  {
    id: 'agents',
    header: 'Agents that run on it',
    cell: ({ id }) => <AgentList relation="runs_on_node_id" id={id} isSeen={isSeen} />,
  },
];

/** The rows of a cluster, the worst first. Removed nodes are the last ones. */
function rowsOf({ services, nodes: known }: Members): readonly Row[] {
  const removed = new Set(services.flatMap(({ node_ids: ids }) => ids).filter((id) => !known.has(id)));
  return [
    ...worstStateFirst([...known.values()], nodes.nameOf).map((node) => ({ id: node.node_id, node })),
    ...[...removed].map((id) => ({ id, node: undefined })),
  ];
}

/** The nodes that the services of a cluster run on, with the agents that run there. The live ones are folded. */
export function ClusterNodes({ members, loadedAt }: { members: Members; loadedAt: number | undefined }) {
  const narrow = useNarrow();
  const rows = rowsOf(members);
  const { visible, button } = useFolded(rows, ({ node }) => node !== undefined && isGood(node), 'node');
  const { items: shown, ...page } = usePagedItems(visible, PAGE_SIZE);
  // The table is below the services: only those who scroll to it need the agents that watch no service of the cluster.
  const { ref, isSeen } = useSeen();
  const columns = columnsOf(isSeen);
  return (
    <LoadedAtContext value={loadedAt}>
      <div ref={ref}>
        <Table
          items={shown}
          {...page}
          footer={button}
          trackBy="id"
          ariaLabels={{ tableLabel: 'Nodes of the cluster' }}
          columnDefinitions={narrow ? [stackedColumn(columns)] : columns}
          header={
            <Header
              variant="h2"
              counter={`(${numberText(rows.length)})`}
              description="The nodes of these services."
              actions={
                <ShowCurl
                  what="Nodes of the cluster"
                  request={requestOf(nodes.contracts.list, { query: queryOf(shown.map(({ id }) => id)) })}
                />
              }
            >
              Nodes of the cluster
            </Header>
          }
        />
      </div>
    </LoadedAtContext>
  );
}
