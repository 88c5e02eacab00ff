import Checkbox from '@cloudscape-design/components/checkbox';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useState } from 'react';
import { endpoint as addSilence } from '../../../functions/api/silences/add/endpoint.ts';
import { parseSilenceTime, silenceTimeRange } from '../../../functions/domain/records/silence.ts';
import { isOwnObject, type OwnerLimit } from '../../../functions/domain/access/owned-objects.ts';
import { MAX_VALUES } from '../../../shared/selector/parse-selector.ts';
import { call } from '../../api/client.tsx';
import { reloadShown } from '../../api/queries.tsx';
import { useStore } from '../../api/store.ts';
import { type Node, nodes } from '../../model/kinds.tsx';
import { useOwnerLimit } from '../../model/own-objects.tsx';
import { selectorOf } from '../../model/silences.tsx';
import { flash } from '../../ui/flash.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { momentText, timeZone } from '../../ui/time-format.ts';
import { partsOf, timeOfParts } from '../../ui/time-parts.ts';
import { useRequestForm } from '../../ui/use-request-form.tsx';
import { DEFAULT_SILENCE, TimeToLiveField } from '../form/time-to-live-field.tsx';

interface Props {
  /** The selector to begin with. */
  selector: string;
  /** Nodes that are silenced, too, unless the user leaves them out: a silence of services does not cover their hosts. */
  nodes?: readonly Node[];
  close: () => void;
}

/** Adds the owners of the user to a selector, which the server requires of one that has owners. */
const withOwners = (limit: OwnerLimit | undefined, selector: string) =>
  [selector, limit === undefined ? '' : selectorOf(limit.label, limit.owners)].filter((part) => part !== '').join();

/** The selectors of nodes: one has a limited number of ids. */
const selectorsOf = (offeredNodes: readonly Node[]) =>
  Array.from({ length: Math.ceil(offeredNodes.length / MAX_VALUES) }, (_, part) =>
    selectorOf(nodes.idField, offeredNodes.slice(part * MAX_VALUES, (part + 1) * MAX_VALUES).map(nodes.idOf)),
  );

const DAY_MS = 86_400_000;
const MAX_MS = (parseSilenceTime(silenceTimeRange.most) ?? 0) * 1000;

/** The end of a silence as a date and a time of day, to begin with tomorrow. */
function useSilenceEnd() {
  const isUtc = useStore(timeZone) === 'utc';
  const [parts, setParts] = useState(() => partsOf(new Date(Date.now() + DAY_MS), isUtc));
  return {
    parts,
    setParts,
    /** The time until then as a duration, as the API takes it; of an incomplete or past time it is none. */
    lengthNow: () => `${Math.ceil(((timeOfParts(parts, isUtc)?.getTime() ?? 0) - Date.now()) / 1000)}s`,
  };
}

interface NodesChoiceProps {
  count: number;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether the nodes of a cluster are silenced with it. */
function NodesChoice({ count, checked, onChange }: NodesChoiceProps) {
  if (count === 0) return null;
  return (
    <Checkbox
      checked={checked}
      description="Without it, a node of the cluster that is offline still needs attention."
      onChange={({ detail }) => onChange(detail.checked)}
    >
      Also {count === 1 ? 'its node, which runs' : `its ${count} nodes, which run`} nothing else
    </Checkbox>
  );
}

/** Silences the objects that a selector matches. */
export function SilenceDialog({ selector: first, nodes: offered = [], close }: Props) {
  const limit = useOwnerLimit();
  const ownNodes = offered.filter((node) => isOwnObject(limit, nodes.noun, node));
  const [isWithNodes, setIsWithNodes] = useState(ownNodes.length > 0);
  const [isAt, setIsAt] = useState(false);
  const end = useSilenceEnd();
  const form = useRequestForm({
    endpoint: addSilence,
    start: { selector: withOwners(limit, first), reason: '', time_to_live: DEFAULT_SILENCE },
    bodyOf: (draft) => (isAt ? { ...draft, time_to_live: end.lengthNow() } : draft),
    send: async (body) => {
      const { until } = await call(addSilence, { body });
      // A second try repeats the first request, which replaces the silence.
      for (const ofNodes of isWithNodes ? selectorsOf(ownNodes) : [])
        await call(addSilence, { body: { ...body, selector: withOwners(limit, ofNodes) } });
      const content = `Silenced until ${momentText(until)}. The overview follows within a minute.`;
      flash.add({ type: 'success', content });
      close();
      reloadShown();
    },
  });
  const { selector, reason, time_to_live } = form.fields;
  return (
    <FormDialog
      header="Silence"
      submitText="Silence"
      form={form}
      failureTitle="The silence could not be added"
      close={close}
      note={isWithNodes ? 'Another request with their ids silences the nodes.' : undefined}
    >
      <TextField
        label="Reason"
        description="For other people: they see it with your name."
        placeholder="Upgrade of the operating system"
        ariaRequired
        {...reason}
      />
      <SegmentedControl
        label="End"
        options={[
          { id: 'after', text: 'After some time' },
          { id: 'at', text: 'At a date and time' },
        ]}
        selectedId={isAt ? 'at' : 'after'}
        onChange={({ detail }) => setIsAt(detail.selectedId === 'at')}
      />
      {isAt ? (
        <MomentField
          label="Ends"
          parts={end.parts}
          isEnabled={(date) => date.getTime() > Date.now() - DAY_MS && date.getTime() <= Date.now() + MAX_MS}
          error={parseSilenceTime(end.lengthNow()) === undefined ? 'Enter a time in the next 30 days.' : undefined}
          onChange={end.setParts}
        />
      ) : (
        <TimeToLiveField of="silence" {...time_to_live} />
      )}
      <TextField
        label="Selector"
        description="Objects whose labels match, also those that are added later, and what rests only on them."
        placeholder="cluster=orders, team in (shop,dba)"
        ariaRequired
        {...selector}
      />
      <NodesChoice count={ownNodes.length} checked={isWithNodes} onChange={setIsWithNodes} />
    </FormDialog>
  );
}
