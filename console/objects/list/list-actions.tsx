import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, use, useState } from 'react';
import { lazily } from '../../../shared/core/lazily.ts';
import { MAX_VALUES } from '../../../shared/selector/parse-selector.ts';
import type { InventoryObject, Kind, ListQuery } from '../../model/kinds.tsx';
import { selectorOf } from '../../model/silences.tsx';
import { readAll } from '../../model/read-all.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { flash } from '../../ui/flash.ts';
import { CurlDialog, type CurlCommand, SHOW_AS_CURL, ShowCurl } from '../../ui/show-curl.tsx';
import { failureOf } from '../../ui/use-load.tsx';
import { useSmall } from '../../ui/use-narrow.tsx';
import { SilenceForm } from '../bulk/silence-button.tsx';
import type { BulkProps, BulkVerb } from '../bulk/bulk-dialog.tsx';
import type { DownloadFormat, DownloadProps } from './download-dialog.tsx';

/** Maximum number of objects of one action. */
const MAX_SELECTED = 5000;

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  filters: ListQuery;
  total: number | undefined;
  selected: readonly T[];
  select: (objects: readonly T[]) => void;
  /** Loads the list again after an action. */
  reload: () => void;
  /** The request of the list as a command. */
  curl: CurlCommand;
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

const CURL = 'curl';

const SILENCE = 'silence';

/** The action that silences the selected objects by their ids, as many as a selector can name. */
const silenceItem = (count: number) => ({
  id: SILENCE,
  text: 'Silence',
  ...(count > MAX_VALUES ? { disabled: true, disabledReason: `Select ${MAX_VALUES} objects at most.` } : {}),
});

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

const bulkDialog = lazily(() => import('../bulk/bulk-dialog.tsx'));

/** The dialogs are loaded with their first use: the first table does not need them. React's `lazy` has no type parameter. */
function LazyBulkDialog<T extends InventoryObject>(props: BulkProps<T>) {
  const { BulkDialog } = use(bulkDialog());
  return <BulkDialog {...props} />;
}

const downloadDialog = lazily(() => import('./download-dialog.tsx'));

function LazyDownloadDialog<T extends InventoryObject>(props: DownloadProps<T>) {
  const { DownloadDialog } = use(downloadDialog());
  return <DownloadDialog {...props} />;
}

/** The actions on the selected objects and on the whole list. Small windows have one menu for all of them. */
export function ListActions<T extends InventoryObject>(props: Props<T>) {
  const { kind, filters, selected, select, reload, curl } = props;
  const [open, setOpen] = useState<string>();
  const mayChange = useMay(kind.contracts.change);
  const small = useSmall();
  const verb = verbs.find(({ id }) => id === open)?.id;
  const format = formats.find(({ id }) => id === open)?.id;
  const close = () => setOpen(undefined);
  const menu = { onItemClick: ({ detail }: { detail: { id: string } }) => setOpen(detail.id) };
  const selection = { disabled: selected.length === 0, disabledReason: 'Select objects first.' };
  const own = verbs.filter(({ only }) => only === undefined || only === kind.noun);
  const actions = [...own.map(({ id, text }) => ({ id, text })), silenceItem(selected.length)];
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {mayChange && <SelectAll {...props} />}
      {small && (
        <ButtonDropdown
          items={[
            ...(mayChange ? actions.map((action) => ({ ...selection, ...action })) : []),
            ...formats.map(({ id, text }) => ({ id, text: `Download ${text}` })),
            { id: CURL, text: SHOW_AS_CURL },
          ]}
          {...menu}
        >
          Actions
        </ButtonDropdown>
      )}
      {!small && mayChange && (
        <ButtonDropdown {...selection} items={actions} {...menu}>
          Actions
        </ButtonDropdown>
      )}
      {!small && (
        <ButtonDropdown items={formats} {...menu}>
          Download
        </ButtonDropdown>
      )}
      {!small && <ShowCurl what={kind.title} {...curl} />}
      {verb !== undefined && (
        <Suspense>
          <LazyBulkDialog
            kind={kind}
            objects={selected}
            verb={verb}
            close={close}
            ended={(rest) => {
              select(rest);
              reload();
            }}
          />
        </Suspense>
      )}
      {open === SILENCE && <SilenceForm selector={selectorOf(kind.idField, selected.map(kind.idOf))} close={close} />}
      {format !== undefined && (
        <Suspense>
          <LazyDownloadDialog kind={kind} filters={filters} format={format} close={close} />
        </Suspense>
      )}
      {open === CURL && <CurlDialog {...curl} close={close} />}
    </SpaceBetween>
  );
}
