import FormField from '@cloudscape-design/components/form-field';
import Multiselect from '@cloudscape-design/components/multiselect';
import { useState } from 'react';
import { MAX_OWNERS } from '../../../functions/domain/access/owners.ts';
import { DEFAULT_OWNER_LABEL } from '../../../functions/domain/fields/owner-label.ts';
import { nodes } from '../../model/kinds.tsx';
import { useServerVersion } from '../../model/server-version.tsx';
import { useCaller } from '../../ui/caller-context.tsx';
import { useLoad } from '../../ui/use-load.tsx';
import type { FieldOf } from '../../ui/use-request-form.tsx';
import { byNumbers } from '../../../shared/core/by-numbers.ts';

/** The nodes whose labels are suggested: one page. Other owners can be typed. */
const PAGE_SIZE = 1000;

/** The owners that the nodes of the first page have. */
async function ownersOfNodes(label: string, signal: AbortSignal): Promise<string[]> {
  const { objects } = await nodes.list({ fields: 'custom_labels', page_size: String(PAGE_SIZE) }, { signal });
  const values = objects.flatMap(({ custom_labels: labels }) => labels[label] ?? []);
  return [...new Set(values)].sort(byNumbers);
}

interface Props extends FieldOf<readonly string[]> {
  /** Default: as many as the API accepts. */
  max?: number;
  /** The effect of owners, and of none. */
  description: string;
}

/** Selects values of the owner label: those of nodes, or any other that the user types. */
export function OwnersField({ value: owners, max = MAX_OWNERS, description, error, onChange }: Props) {
  const { owner_label: label = DEFAULT_OWNER_LABEL } = useServerVersion();
  const { owners: ownersOfCaller } = useCaller();
  const [typed, setTyped] = useState('');
  const { value: ownersInUse = [] } = useLoad(
    ['owners', label],
    ownersOfCaller === undefined ? (signal) => ownersOfNodes(label, signal) : undefined,
  );
  const text = typed.trim();
  // A caller with owners gives a part of them only.
  const values = ownersOfCaller ?? [...new Set([...ownersInUse, ...owners, ...(text === '' ? [] : [text])])];
  const options = values.filter((value) => value.includes(text)).map((value) => ({ value, label: value }));
  return (
    <FormField
      label={
        <>
          {max === 1 ? 'Owner' : 'Owners'} <i>- optional</i>
        </>
      }
      description={`${description} Values of the label ${label}.`}
      errorText={error}
    >
      <Multiselect
        options={options}
        selectedOptions={owners.map((value) => ({ value, label: value }))}
        filteringType="manual"
        filteringPlaceholder="Find or type an owner"
        filteringAriaLabel="Find or type an owner"
        placeholder={owners.length === 0 ? 'No limit' : `${owners.length} chosen`}
        empty="Type an owner"
        deselectAriaLabel={({ label: owner = '' }) => `Remove ${owner}`}
        onLoadItems={({ detail }) => setTyped(detail.filteringText)}
        onChange={({ detail }) =>
          onChange(detail.selectedOptions.flatMap(({ value }) => (value === undefined ? [] : [value])).slice(-max))
        }
      />
    </FormField>
  );
}
