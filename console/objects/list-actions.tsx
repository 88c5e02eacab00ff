import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { InventoryObject, Kind, ListQuery } from '../model/kinds.tsx';
import { readAll } from '../model/read-all.tsx';
import { useMay } from '../ui/caller-context.tsx';
import { flash } from '../ui/flash.ts';
import { failureOf } from '../ui/use-load.tsx';
import { BulkDialog, type BulkVerb } from './bulk-dialog.tsx';
import { DownloadDialog, type DownloadFormat } from './download-dialog.tsx';

/** The most objects of one action. */
const MAX_SELECTED = 5000;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  total: number | undefined;
  selected: readonly T[];
  select: (objects: readonly T[]) => void;
  /** After an action, when the list may show something else. */
  reload: () => void;
}

const verbs: readonly { id: BulkVerb; text: string; only?: InventoryObjectNoun }[] = [
  { id: 'set_label', text: 'Set label' },
  { id: 'remove_label', text: 'Remove label' },
  { id: 'disable', text: 'Disable', only: 'agent' },
  { id: 'enable', text: 'Enable', only: 'agent' },
  { id: 'remove', text: 'Remove' },
];

type InventoryObjectNoun = Kind<InventoryObject>['noun'];

const formats: readonly { id: DownloadFormat; text: string }[] = [
  { id: 'csv', text: 'CSV' },
  { id: 'json', text: 'JSON' },
];

/** Selects all objects of the list, also those of other pages. */
function SelectAll<T extends InventoryObject>({ kind, filters, total, selected, select }: Props<T>) {
  const [busy, setBusy] = useState(false);
  if (total === undefined || selected.length === 0 || selected.length >= total || total > MAX_SELECTED) return null;
  const selectAll = async () => {
    setBusy(true);
    try {
      const all = await readAll(kind, filters, { signal: new AbortController().signal, max: MAX_SELECTED });
      if (all !== undefined) select(all);
    } catch (error) {
      flash.add({ type: 'error', content: failureOf(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button loading={busy} onClick={() => void selectAll()}>
      Select all {total.toLocaleString('en')}
    </Button>
  );
}

/** What can be done to the selected objects, and to all objects of the list. */
export function ListActions<T extends InventoryObject>(props: Props<T>) {
  const { kind, filters, selected, select, reload } = props;
  const [verb, setVerb] = useState<BulkVerb>();
  const [format, setFormat] = useState<DownloadFormat>();
  const mayChange = useMay(kind.contracts.change);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {mayChange && <SelectAll {...props} />}
      {mayChange && (
        <ButtonDropdown
          disabled={selected.length === 0}
          disabledReason="Select objects first."
          items={verbs
            .filter(({ only }) => only === undefined || only === kind.noun)
            .map(({ id, text }) => ({ id, text }))}
          onItemClick={({ detail }) => setVerb(verbs.find(({ id }) => id === detail.id)?.id)}
        >
          Actions
        </ButtonDropdown>
      )}
      <ButtonDropdown
        items={formats}
        onItemClick={({ detail }) => setFormat(formats.find(({ id }) => id === detail.id)?.id)}
      >
        Download
      </ButtonDropdown>
      {verb !== undefined && (
        <BulkDialog
          kind={kind}
          objects={selected}
          verb={verb}
          close={(changed) => {
            setVerb(undefined);
            if (!changed) return;
            select([]);
            reload();
          }}
        />
      )}
      {format !== undefined && (
        <DownloadDialog kind={kind} filters={filters} format={format} close={() => setFormat(undefined)} />
      )}
    </SpaceBetween>
  );
}
