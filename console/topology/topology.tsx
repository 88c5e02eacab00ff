import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useStore } from '../api/store.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { storedPreference } from '../ui/preference.ts';
import { useLoad } from '../ui/use-load.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { plural } from '../ui/words.ts';
import { type GraphKind, graphOf } from './graph.ts';
import { type GraphData, keyOfSubject, loadSources, type Subject } from './load-sources.tsx';
import { TopologyList } from './topology-list.tsx';
import './topology.css';

/** Only those who see a graph load what draws it. */
const TopologyGraph = lazy(() => import('./topology-graph.tsx'));

type Form = 'members' | 'graph' | 'list';

const formNames: Readonly<Record<Form, string>> = { members: 'Members', graph: 'Graph', list: 'List' };
const objectForms: readonly [Form, ...Form[]] = ['graph', 'list'];
const clusterForms: readonly [Form, ...Form[]] = ['members', 'graph', 'list'];
const objectForm = storedPreference('topology', objectForms);
const clusterForm = storedPreference('topology-cluster', clusterForms);

const kinds = ['node', 'service', 'agent'] as const satisfies readonly GraphKind[];

const waiting = (
  <div className="topology-waiting">
    <span role="status">
      <Spinner /> Loading
    </span>
  </div>
);

function Rest({
  loaded: { lists, unread },
  omitted,
}: {
  loaded: GraphData;
  omitted: Readonly<Record<GraphKind, number>>;
}) {
  const lines = kinds.flatMap((kind) => {
    const hasMore = unread.has(kind);
    const count = omitted[kind];
    if (count === 0 && !hasMore) return [];
    const text = count === 0 ? `and more ${kind}s` : `and ${hasMore ? 'at least ' : ''}${plural(count, kind)} more`;
    const list = lists[kind];
    return [<div key={kind}>{list === undefined ? text : <Link href={list}>{text}</Link>}</div>];
  });
  return lines.length === 0 ? null : <Box>{lines}</Box>;
}

function Picture({ loaded, subject, isList }: { loaded: GraphData; subject: Subject; isList: boolean }) {
  const id = subject.kind === 'cluster' ? undefined : subject.id;
  const graph = useMemo(() => graphOf(loaded.sources, id), [loaded, id]);
  const props = { graph, subject: id, label: `Topology of the ${subject.kind}` };
  if (graph.objects.length === 0) return <Box color="text-body-secondary">No objects.</Box>;
  return (
    <SpaceBetween size="xs">
      {isList ? (
        <TopologyList {...props} />
      ) : (
        <Suspense fallback={waiting}>
          <TopologyGraph {...props} />
        </Suspense>
      )}
      <Rest loaded={loaded} omitted={graph.omitted} />
    </SpaceBetween>
  );
}

interface Props {
  subject: Subject;
  /** The members of a cluster as a drawing, which is shown first. */
  members?: ReactNode;
}

/** The graph or the list of a subject, which is loaded for it. */
function Relations({ subject, isList }: { subject: Subject; isList: boolean }) {
  const { value, failure, reload } = useLoad(['topology', keyOfSubject(subject)], (signal) =>
    loadSources(subject, signal),
  );
  if (failure !== undefined)
    return <FailureAlert failure={failure} what="The topology could not be loaded" retry={reload} />;
  return value === undefined ? waiting : <Picture loaded={value} subject={subject} isList={isList} />;
}

/**
 * The placements and targets around an object or a cluster: as a graph, or as a list; of a cluster also its members.
 * Narrow windows have no graph.
 */
export function Topology({ subject, members }: Props) {
  const narrow = useNarrow();
  const isCluster = members !== undefined;
  const form = isCluster ? clusterForm : objectForm;
  const chosen = useStore(form);
  const forms = (isCluster ? clusterForms : objectForms).filter((id) => !narrow || id !== 'graph');
  const shown = forms.includes(chosen) ? chosen : (forms[0] ?? 'list');
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            forms.length > 1 && (
              <SegmentedControl
                label="Form of the topology"
                selectedId={shown}
                options={forms.map((id) => ({ id, text: formNames[id] }))}
                onChange={({ detail }) => form.set(forms.find((id) => id === detail.selectedId) ?? shown)}
              />
            )
          }
        >
          Topology
        </Header>
      }
    >
      {shown === 'members' ? members : <Relations subject={subject} isList={shown === 'list'} />}
    </Container>
  );
}
