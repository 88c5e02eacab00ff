import Alert from '@cloudscape-design/components/alert';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useState } from 'react';
import { anyKind } from '../model/bulk.tsx';
import { nodes, services } from '../model/kinds.tsx';
import { BulkDialog, type BulkVerb } from '../objects/bulk/bulk-dialog.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { FirstItems } from '../ui/first-items.tsx';
import { flash } from '../ui/flash.ts';
import { failureOf } from '../ui/use-load.tsx';
import { plural } from '../ui/words.ts';
import { type ClusterScope, loadScope, objectsOf } from './cluster-scope.tsx';
import type { Members } from './load-members.tsx';

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

interface Props {
  cluster: string;
  members: Members;
  reload: () => void;
}

/** Actions on all objects of the cluster: its services, the nodes of these alone, and the agents of both. */
export function ClusterActions({ cluster, members, reload }: Props) {
  const mayChange = useMay(services.contracts.change);
  const [loading, setLoading] = useState(false);
  const [open, setOpen] = useState<{ verb: BulkVerb; scope: ClusterScope }>();
  if (!mayChange) return null;
  const begin = async (verb: BulkVerb) => {
    setLoading(true);
    try {
      const scope = await loadScope(members, new AbortController().signal);
      if (objectsOf(scope, verb).length > 0) setOpen({ verb, scope });
      else
        flash.add({
          type: 'info',
          content: `No agent of ${cluster} is ${verb === 'enable' ? 'disabled' : 'enabled'}.`,
        });
    } catch (error) {
      flash.add({ type: 'error', content: failureOf(error).message });
    } finally {
      setLoading(false);
    }
  };
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
      {open !== undefined && (
        <BulkDialog
          kind={anyKind}
          objects={objectsOf(open.scope, open.verb)}
          verb={open.verb}
          close={() => setOpen(undefined)}
          ended={reload}
        >
          {!agentVerbs.has(open.verb) && <SharedNodes of={open.scope.sharedNodes} />}
        </BulkDialog>
      )}
    </>
  );
}
