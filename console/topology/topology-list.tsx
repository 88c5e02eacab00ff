import Link from '@cloudscape-design/components/link';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Words } from '../ui/breakable-text.tsx';
import { type Branch, type Graph, treeOf } from './graph.ts';
import { pageOf } from './object-page.tsx';
import './topology.css';

function Entry({ branch: { object, type, branches }, subject }: { branch: Branch; subject: string | undefined }) {
  const { kind, name, type: typeOfObject, health, id, isFold = false } = object;
  return (
    <li>
      {type === 'insight' && 'gives insight into '}
      {!isFold && `${kind} `}
      {id === subject ? (
        <b aria-current="page">
          <Words text={name} />
        </b>
      ) : isFold ? (
        name
      ) : (
        <Link href={pageOf(object)}>
          <Words text={name} />
        </Link>
      )}
      {kind !== 'agent' && ` (${typeOfObject})`}{' '}
      {health !== undefined && (
        <StatusIndicator type={health.look} wrapText={false}>
          {health.word}
        </StatusIndicator>
      )}
      {branches.length > 0 && <Entries branches={branches} subject={subject} />}
    </li>
  );
}

function Entries({
  branches,
  subject,
  label,
}: {
  branches: readonly Branch[];
  subject: string | undefined;
  label?: string;
}) {
  return (
    <ul className="topology-list" aria-label={label}>
      {branches.map((branch, index) => (
        <Entry key={`${index} ${branch.object.id}`} branch={branch} subject={subject} />
      ))}
    </ul>
  );
}

interface Props {
  graph: Graph;
  subject: string | undefined;
  label: string;
}

/** The graph as a list: below an object stand those that run on it, and those that it gives insight into. */
export function TopologyList({ graph, subject, label }: Props) {
  return <Entries branches={treeOf(graph)} subject={subject} label={label} />;
}
