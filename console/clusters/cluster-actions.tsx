import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useState } from 'react';
import type { Cluster } from '../../functions/domain/service/cluster.ts';
import { reloadShown } from '../api/queries.tsx';
import { anyKind } from '../model/bulk.tsx';
import { isDead } from '../model/health.ts';
import { nodes, services } from '../model/kinds.tsx';
import type { BulkVerb } from '../objects/bulk/bulk-dialog.tsx';
import { LazyBulkDialog } from '../objects/bulk/lazy-bulk-dialog.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { FirstItems } from '../ui/first-items.tsx';
import { flash } from '../ui/flash.ts';
import { failureOf } from '../ui/use-load.tsx';
import { plural } from '../ui/words.ts';
import { type ClusterScope, loadScope, objectsOf } from './cluster-scope.tsx';
import { loadMembers, type Members } from './load-members.tsx';

const actions: readonly { id: BulkVerb; text: string }[] = [
  { id: 'set_label', text: 'Set label' },
  { id: 'remove_label', text: 'Remove label' },
  { id: 'disable', text: 'Disable agents' },
  { id: 'enable', text: 'Enable agents' },
  { id: 'remove', text: 'Remove with its nodes' },
];

/** Actions that change no node. */
const agentVerbs: ReadonlySet<BulkVerb> = new Set(['disable', 'enable']);

/** The nodes that an action leaves alone. */
function SharedNodes({ of: shared }: { of: ClusterScope['sharedNodes'] }) {
  if (shared.length === 0) return null;
  return (
    <Alert header={`Not included: ${plural(shared.length, 'node')} with services of others`}>
      <FirstItems items={shared.map((node) => nodes.nameOf(node))} />
    </Alert>
  );
}

const nothingToDo = (cluster: string, verb: BulkVerb) =>
  agentVerbs.has(verb)
    ? `No agent of ${cluster} is ${verb === 'enable' ? 'disabled' : 'enabled'}.`
    : `${cluster} has no services.`;

interface ActionOptions {
  cluster: string;
  load: (signal: AbortSignal) => Promise<Members>;
  reload: () => void;
}

/** Actions on all objects of a cluster: its services, the nodes of these alone, and the agents of both. */
function useClusterActions({ cluster, load, reload }: ActionOptions) {
  const [loading, setLoading] = useState(false);
  const [open, setOpen] = useState<{ verb: BulkVerb; scope: ClusterScope }>();
  const begin = async (verb: BulkVerb) => {
    setLoading(true);
    const { signal } = new AbortController();
    try {
      const scope = await loadScope(await load(signal), signal);
      if (objectsOf(scope, verb).length > 0) setOpen({ verb, scope });
      else flash.add({ type: 'info', content: nothingToDo(cluster, verb) });
    } catch (error) {
      flash.add({ type: 'error', content: failureOf(error).message });
    } finally {
      setLoading(false);
    }
  };
  const dialog = open !== undefined && (
    <LazyBulkDialog
      kind={anyKind}
      objects={objectsOf(open.scope, open.verb)}
      verb={open.verb}
      from={<bdi className="any-word">Cluster {cluster}</bdi>}
      close={() => setOpen(undefined)}
      ended={reload}
    >
      {!agentVerbs.has(open.verb) && <SharedNodes of={open.scope.sharedNodes} />}
    </LazyBulkDialog>
  );
  return { loading, begin, dialog };
}

interface Props {
  cluster: string;
  members: Members;
  reload: () => void;
}

/** The menu of the actions on a cluster. */
export function ClusterActions({ cluster, members, reload }: Props) {
  const mayChange = useMay(services.contracts.change);
  const { loading, begin, dialog } = useClusterActions({
    cluster,
    load: () => Promise.resolve(members),
    reload,
  });
  if (!mayChange) return null;
  return (
    <>
      <ButtonDropdown
        items={[...actions]}
        loading={loading}
        loadingText="Loading the objects of the cluster"
        onItemClick={({ detail }) => {
          const verb = actions.find(({ id }) => id === detail.id)?.id;
          if (verb !== undefined) void begin(verb);
        }}
      >
        Actions
      </ButtonDropdown>
      {dialog}
    </>
  );
}

/** Removes a dead cluster with its nodes, from its row of the list. For users who may. */
export function RemoveDeadCluster({ of: { cluster, services_by_state: counts } }: { of: Cluster }) {
  const load = (signal: AbortSignal) => loadMembers(cluster, signal);
  const { loading, begin, dialog } = useClusterActions({ cluster, load, reload: reloadShown });
  // A dialog that is open stays, also when a member reports in the meantime.
  const isOpen = loading || dialog !== false;
  if (!isOpen && !isDead(counts)) return null;
  return (
    <>
      <Button
        variant="inline-icon"
        iconName="remove"
        ariaLabel={`Remove ${cluster} with its nodes`}
        loading={loading}
        onClick={() => void begin('remove')}
      />
      {dialog}
    </>
  );
}
