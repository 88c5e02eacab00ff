import Multiselect from '@cloudscape-design/components/multiselect';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { useEffect, useRef, useState } from 'react';
import type { Target } from '../../model/target.ts';
import { agents, nodes, services, shortId, textOf } from '../../model/kinds.tsx';
import { cachedObject } from '../../model/object-cache.tsx';
import { type Choice, MAX_CHOICES, searches } from '../../model/search.tsx';
import { useLoad } from '../../ui/use-load.tsx';

/** So long nobody types before the server is asked. */
const PAUSE_MS = 250;

const nouns = { node: 'nodes', service: 'services', pmm_agent: 'agent processes' } as const;

/** The words for an id that a form starts with. */
async function choiceOf(to: Target, id: string): Promise<Choice> {
  if (to === 'service') return { id, name: services.nameOf(await cachedObject(services, id)), description: '' };
  if (to === 'node') return { id, name: nodes.nameOf(await cachedObject(nodes, id)), description: '' };
  const node = textOf(await cachedObject(agents, id), 'runs_on_node_id');
  const name = node === undefined ? shortId(id) : nodes.nameOf(await cachedObject(nodes, node));
  return { id, name, description: `pmm_agent ${shortId(id)}` };
}

function useChoices(to: Target) {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const [status, setStatus] = useState<'pending' | 'loading' | 'finished' | 'error'>('pending');
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; controller: AbortController }>(undefined);
  const stop = () => {
    clearTimeout(pending.current?.timer);
    pending.current?.controller.abort();
  };
  useEffect(() => stop, []);
  const load = (text: string) => {
    stop();
    setStatus('loading');
    const controller = new AbortController();
    const search = async () => {
      try {
        setChoices(await searches[to](text, controller.signal));
        setStatus('finished');
      } catch {
        // Said in the list of choices, with a way to try again.
        if (!controller.signal.aborted) setStatus('error');
      }
    };
    pending.current = { timer: setTimeout(() => void search(), PAUSE_MS), controller };
  };
  return { choices, status, load };
}

const optionOf = ({ id, name, description }: Choice): SelectProps.Option => ({
  value: id,
  label: name,
  ...(description === '' ? {} : { description }),
});

const none: SelectProps.Option = { value: '', label: 'None' };

interface Props {
  to: Target;
  ids: readonly string[];
  /** Maximum number of selected objects. With 1, the list closes after the selection. */
  max: number;
  /** One may be chosen, or none. */
  optional: boolean;
  onChange: (ids: readonly string[]) => void;
}

/** Chooses other objects by their names, which the server looks for. */
export function ReferenceSelect({ to, ids, max, optional, onChange }: Props) {
  const { choices, status, load } = useChoices(to);
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
    statusType: status,
    loadingText: 'Loading',
    errorText: 'Could not be loaded.',
    recoveryText: 'Try again',
    finishedText: choices.length >= MAX_CHOICES ? 'More results exist. Type more of the name.' : undefined,
    empty: `No ${nouns[to]} found`,
    onLoadItems: ({ detail }: { detail: { filteringText: string } }) => load(detail.filteringText),
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
