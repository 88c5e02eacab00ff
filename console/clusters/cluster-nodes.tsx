import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { type Node, nodes, textOf } from '../model/kinds.tsx';
import { cachedObject } from '../model/object-cache.tsx';
import { AgentList } from '../objects/agent-list.tsx';
import { ObjectLink } from '../objects/object-link.tsx';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { Words } from '../ui/breakable-text.tsx';

/** Each row asks for its node and the agents there: of services on 20 nodes each there would be hundreds. */
const PAGE_SIZE = 25;

function Field({ id, of }: { id: string; of: (node: Node) => string | undefined }) {
  const { value } = useLoad(`nodes/${id}`, () => cachedObject(nodes, id));
  return <Words text={value === undefined ? '…' : (of(value) ?? '-')} />;
}

function placeOf(node: Node): string | undefined {
  const parts = [textOf(node, 'region'), textOf(node, 'az')].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' / ');
}

const agentsOn = (id: string) => <AgentList filters={{ runs_on_node_id: id }} />;

const columns: TableProps.ColumnDefinition<string>[] = [
  { id: 'name', header: 'Node', isRowHeader: true, cell: (id) => <ObjectLink kind={nodes} id={id} /> },
  { id: 'address', header: 'Address', cell: (id) => <Field id={id} of={(node) => node.address} /> },
  { id: 'place', header: 'Region and zone', cell: (id) => <Field id={id} of={placeOf} /> },
  { id: 'agents', header: 'Agents that run on it', cell: agentsOn },
];

/** Where there is little room: all of a node in one cell. */
const narrowColumns: TableProps.ColumnDefinition<string>[] = [
  {
    id: 'node',
    header: 'Node',
    isRowHeader: true,
    cell: (id) => (
      <SpaceBetween size="xs">
        <div>
          <ObjectLink kind={nodes} id={id} /> (<Field id={id} of={(node) => node.address} />)
        </div>
        <div className="inset">
          <Box color="text-body-secondary">Agents that run on it</Box>
          {agentsOn(id)}
        </div>
      </SpaceBetween>
    ),
  },
];

/** The nodes that the services of a cluster run on, with what runs there to watch them. */
export function ClusterNodes({ ids }: { ids: readonly string[] }) {
  const narrow = useNarrow();
  const pagesCount = Math.ceil(ids.length / PAGE_SIZE);
  const [wanted, setWanted] = useState(1);
  const pageIndex = Math.min(wanted, pagesCount);
  return (
    <Table
      items={ids.slice((pageIndex - 1) * PAGE_SIZE, pageIndex * PAGE_SIZE)}
      trackBy={(id) => id}
      wrapLines
      ariaLabels={{ tableLabel: 'Nodes of the cluster' }}
      columnDefinitions={narrow ? narrowColumns : columns}
      header={
        <Header variant="h2" counter={`(${ids.length})`} description="The nodes of these services.">
          Nodes of the cluster
        </Header>
      }
      pagination={
        pagesCount > 1 && (
          <Pagination
            currentPageIndex={pageIndex}
            pagesCount={pagesCount}
            onChange={({ detail }) => setWanted(detail.currentPageIndex)}
          />
        )
      }
    />
  );
}
