import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, use, useState } from 'react';
import { lazily } from '../../../shared/core/lazily.ts';
import { MAX_VALUES } from '../../../shared/selector/parse-selector.ts';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { foreignReasonOfAll, useOwnerLimit } from '../../model/own-objects.tsx';
import { selectorOf } from '../../model/silences.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { CurlDialog, type CurlCommand, SHOW_AS_CURL, ShowCurl } from '../../ui/show-curl.tsx';
import { useSmall } from '../../ui/use-narrow.tsx';
import { SilenceForm } from '../bulk/silence-button.tsx';
import type { BulkVerb } from '../bulk/bulk-dialog.tsx';
import type { DownloadFormat, DownloadProps } from './download-dialog.tsx';
import { type BulkList, MAX_CHANGED, readMatches, useBulk } from './use-bulk.tsx';
import { numberText } from '../../ui/words.ts';

const SELECT_FIRST = 'Select objects first.';

interface Props<T extends InventoryObject> extends BulkList<T> {
  /** The request of the list as a command. */
  curl: CurlCommand;
}

interface Verb {
  id: BulkVerb;
  text: string;
  only?: InventoryObjectNoun;
}

const verbs: readonly Verb[] = [
  { id: 'set_label', text: 'Set label' },
  { id: 'remove_label', text: 'Remove label' },
  { id: 'disable', text: 'Disable', only: 'agent' },
  { id: 'enable', text: 'Enable', only: 'agent' },
  { id: 'remove', text: 'Remove' },
];

/** The action with a button of its own, where there is room for it. */
const DIRECT: BulkVerb = 'set_label';

type InventoryObjectNoun = Kind<InventoryObject>['noun'];

const formats: readonly { id: DownloadFormat; text: string }[] = [
  { id: 'csv', text: 'CSV' },
  { id: 'json', text: 'JSON' },
];

const CURL = 'curl';

const SILENCE = 'silence';

const disabledWhen = (isDisabled: boolean, disabledReason: string) =>
  isDisabled ? { disabled: true, disabledReason } : {};

/**
 * The actions of the menu. Removals need a selection, and silences, whose selector names a limited number of ids. The
 * others also have the whole list as their objects.
 */
const itemsOf = (verbs: readonly Verb[], selected: number) => [
  ...verbs.map(({ id, text }) => ({
    ...{ id, text },
    ...disabledWhen(id === 'remove' && selected === 0, SELECT_FIRST),
  })),
  {
    ...{ id: SILENCE, text: 'Silence' },
    ...disabledWhen(selected > MAX_VALUES, `Select ${MAX_VALUES} objects at most.`),
    ...disabledWhen(selected === 0, SELECT_FIRST),
  },
];

/** Selects all objects of the list, also those of other pages. */
function SelectAll<T extends InventoryObject>(props: Props<T>) {
  const { total, selected, select } = props;
  const [busy, setBusy] = useState(false);
  if (total === undefined || selected.length === 0 || selected.length >= total || total > MAX_CHANGED) return null;
  const selectAll = async () => {
    setBusy(true);
    const all = await readMatches(props);
    if (all !== undefined) select(all);
    setBusy(false);
  };
  return (
    <Button loading={busy} onClick={() => void selectAll()}>
      Select all {numberText(total)}
    </Button>
  );
}

const downloadDialog = lazily(() => import('./download-dialog.tsx'));

function LazyDownloadDialog<T extends InventoryObject>(props: DownloadProps<T>) {
  const { DownloadDialog } = use(downloadDialog());
  return <DownloadDialog {...props} />;
}

/** The actions on the selected objects and on the whole list. Small windows have one menu for all of them. */
export function ListActions<T extends InventoryObject>(props: Props<T>) {
  const { kind, filters, total, selected, curl } = props;
  const [open, setOpen] = useState<string>();
  const mayChange = useMay(kind.contracts.change);
  const small = useSmall();
  const bulk = useBulk(props);
  const format = formats.find(({ id }) => id === open)?.id;
  const close = () => setOpen(undefined);
  const menu = {
    onItemClick: ({ detail: { id } }: { detail: { id: string } }) => {
      const verb = verbs.find((one) => one.id === id)?.id;
      if (verb === undefined) setOpen(id);
      else bulk.begin(verb);
    },
  };
  const foreign = foreignReasonOfAll(useOwnerLimit(), kind, selected);
  const isOff = foreign === undefined ? disabledWhen(total === 0, 'The list is empty.') : disabledWhen(true, foreign);
  const actions = itemsOf(
    verbs.filter(({ only }) => only === undefined || only === kind.noun),
    selected.length,
  );
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {mayChange && <SelectAll {...props} />}
      {small && (
        <ButtonDropdown
          items={[
            ...(mayChange ? actions.map((action) => ({ ...action, ...isOff })) : []),
            ...formats.map(({ id, text }) => ({ id, text: `Download ${text}` })),
            { id: CURL, text: SHOW_AS_CURL },
          ]}
          {...menu}
        >
          Actions
        </ButtonDropdown>
      )}
      {!small && mayChange && (
        <Button {...isOff} loading={bulk.reading === DIRECT} onClick={() => bulk.begin(DIRECT)}>
          Set label
        </Button>
      )}
      {!small && mayChange && (
        <ButtonDropdown
          {...isOff}
          items={actions.filter(({ id }) => id !== DIRECT)}
          loading={bulk.reading !== undefined && bulk.reading !== DIRECT}
          {...menu}
        >
          Actions
        </ButtonDropdown>
      )}
      {!small && (
        <ButtonDropdown items={formats} {...menu}>
          Download
        </ButtonDropdown>
      )}
      {!small && <ShowCurl what={kind.title} {...curl} />}
      {bulk.dialog}
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
