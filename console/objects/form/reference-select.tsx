import Multiselect from '@cloudscape-design/components/multiselect';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import type { TargetKind } from '../../model/target.ts';
import { agents, nodes, services, shortId, textOf } from '../../model/kinds.tsx';
import { cachedObject } from '../../model/object-cache.tsx';
import { type Choice, MAX_CHOICES, searches } from '../../model/search.tsx';
import { useTypedLoad } from '../../ui/use-typed-load.tsx';
import { useLoad } from '../../ui/use-load.tsx';

const nouns = { node: 'nodes', service: 'services', pmm_agent: 'agent processes' } as const;

/** The name of an object that the form contains from the start. */
async function choiceOf(to: TargetKind, id: string): Promise<Choice> {
  if (to === 'service') return { id, name: services.nameOf(await cachedObject(services, id)), description: '' };
  if (to === 'node') return { id, name: nodes.nameOf(await cachedObject(nodes, id)), description: '' };
  const node = textOf(await cachedObject(agents, id), 'runs_on_node_id');
  const name = node === undefined ? shortId(id) : nodes.nameOf(await cachedObject(nodes, node));
  return { id, name, description: `pmm_agent ${shortId(id)}` };
}

const optionOf = ({ id, name, description }: Choice): SelectProps.Option => ({
  value: id,
  label: name,
  ...(description === '' ? {} : { description }),
});

const none: SelectProps.Option = { value: '', label: 'None' };

interface Props {
  to: TargetKind;
  ids: readonly string[];
  /** Maximum number of selected objects. With 1, the list closes after the selection. */
  max: number;
  /** Whether the field may be empty. */
  optional: boolean;
  onChange: (ids: readonly string[]) => void;
}

/** Selects other objects by their names, which the server searches. */
export function ReferenceSelect({ to, ids, max, optional, onChange }: Props) {
  const { value, status, request } = useTypedLoad(['choices', to], searches[to]);
  const choices = value ?? [];
  const { value: named = [] } = useLoad(['references', to, ids], () =>
    Promise.all(ids.map((id) => choiceOf(to, id).catch(() => ({ id, name: shortId(id), description: '' })))),
  );
  const selected = ids.map(
    (id) => [...choices, ...named].find((choice) => choice.id === id) ?? { id, name: shortId(id), description: '' },
  );
  const shared = {
    options: choices.map(optionOf),
    filteringType: 'manual',
    filteringPlaceholder: 'Name prefix',
    filteringAriaLabel: `Find ${nouns[to]} by name`,
    statusType: value === undefined && status === 'finished' ? 'pending' : status,
    loadingText: 'Loading',
    errorText: 'Could not be loaded.',
    recoveryText: 'Try again',
    finishedText: choices.length >= MAX_CHOICES ? 'More results exist. Type more of the name.' : undefined,
    empty: `No ${nouns[to]} found`,
    onLoadItems: ({ detail }: { detail: { filteringText: string } }) => request(detail.filteringText),
  } as const;

  if (max === 1)
    return (
      <Select
        {...shared}
        options={optional ? [none, ...shared.options] : shared.options}
        placeholder="Choose one"
        selectedOption={selected[0] === undefined ? null : optionOf(selected[0])}
        onChange={({ detail: { selectedOption } }) =>
          onChange(selectedOption.value === undefined || selectedOption.value === '' ? [] : [selectedOption.value])
        }
      />
    );
  return (
    <Multiselect
      {...shared}
      placeholder={ids.length === 0 ? 'None' : `${ids.length} chosen`}
      selectedOptions={selected.map(optionOf)}
      deselectAriaLabel={({ label = '' }) => `Remove ${label}`}
      tokenLimit={5}
      onChange={({ detail }) =>
        onChange(detail.selectedOptions.flatMap(({ value }) => (value === undefined ? [] : [value])).slice(0, max))
      }
    />
  );
}
