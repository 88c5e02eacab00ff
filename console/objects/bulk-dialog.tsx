import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useRef, useState } from 'react';
import type { ApiFailure } from '../api/client.tsx';
import { type BulkAction, type BulkResult, firstRequestOf, runBulk } from '../model/bulk.tsx';
import type { InventoryObject, Kind } from '../model/kinds.tsx';
import { forgetObjects } from '../model/object-cache.tsx';
import { dependantsOfAll } from '../model/selection-dependants.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { flash } from '../ui/flash.ts';
import { CurlSection } from '../ui/show-curl.tsx';
import { failureOf, useLoad } from '../ui/use-load.tsx';
import { forgetPositions } from '../ui/use-pages.tsx';
import { plural } from '../ui/words.ts';
import { Consequences, NamedObjects } from './consequences.tsx';

export type BulkVerb = BulkAction['verb'];

const buttons: Readonly<Record<BulkVerb, string>> = {
  set_label: 'Set label',
  remove_label: 'Remove label',
  disable: 'Disable',
  enable: 'Enable',
  remove: 'Remove',
};

const done: Readonly<Record<BulkVerb, string>> = {
  set_label: 'The label was set on',
  remove_label: 'The label was removed from',
  disable: 'Disabled:',
  enable: 'Enabled:',
  remove: 'Removed:',
};

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  objects: readonly T[];
  verb: BulkVerb;
  /** @param changed whether anything was sent. */
  close: (changed: boolean) => void;
}

/** The dependants of a selection that is to be removed; of other actions there are none. */
function useDependants<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[], verb: BulkVerb) {
  const key = verb === 'remove' ? `remove/${objects.map((object) => kind.idOf(object)).join(',')}` : verb;
  return useLoad(key, (signal) =>
    verb === 'remove'
      ? dependantsOfAll(kind, objects, signal)
      : Promise.resolve({ removed: [], changed: [], more: false }),
  );
}

function useRun<T extends InventoryObject>(kind: Kind<T>, objects: readonly T[]) {
  const [results, setResults] = useState<readonly BulkResult<T>[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const controller = useRef<AbortController>(undefined);
  const run = async (action: BulkAction): Promise<readonly BulkResult<T>[] | undefined> => {
    const present = new AbortController();
    controller.current = present;
    let latest: readonly BulkResult<T>[] = [];
    setBusy(true);
    setFailure(undefined);
    try {
      const progress = (next: readonly BulkResult<T>[]) => setResults((latest = next));
      await runBulk(kind, objects, action, { progress, signal: present.signal });
      return latest;
    } catch (error) {
      setFailure(failureOf(error));
      return undefined;
    } finally {
      forgetObjects();
      setBusy(false);
    }
  };
  return { results, busy, failure, run, stop: () => controller.current?.abort() };
}

/** Which objects failed, and why. */
function Failures<T extends InventoryObject>({ kind, results }: { kind: Kind<T>; results: readonly BulkResult<T>[] }) {
  const failed = results.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return null;
  return (
    <Alert type="error" header={`${plural(failed.length, kind.noun)} failed`}>
      <ul className="named">
        {failed.map(({ object, failure }) => (
          <li key={kind.idOf(object)}>
            <b className="any-word">{kind.nameOf(object)}</b>: <span className="any-word">{failure}</span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Confirms one action on several objects, shows its progress, and the objects on which it failed. */
export function BulkDialog<T extends InventoryObject>({ kind, objects, verb, close }: Props<T>) {
  const [label, setLabel] = useState('');
  const [value, setValue] = useState('');
  const dependants = useDependants(kind, objects, verb);
  const { results, busy, failure, run, stop } = useRun(kind, objects);
  const count = (dependants.value?.removed.length ?? 0) + (dependants.value?.changed.length ?? 0);
  const what = plural(objects.length, kind.noun);
  const isLabel = verb === 'set_label' || verb === 'remove_label';
  const wasSent = results.length > 0 || failure !== undefined;

  const actionOf = (): BulkAction => {
    if (verb === 'set_label') return { verb, label: label.trim(), value };
    if (verb === 'remove_label') return { verb, label: label.trim() };
    return verb === 'remove' ? { verb, force: count > 0 || dependants.value?.more === true } : { verb };
  };
  const submit = async () => {
    const all = await run(actionOf());
    if (all === undefined || all.length < objects.length || all.some((one) => one.failure !== undefined)) return;
    forgetPositions();
    flash.add({ type: 'success', content: `${done[verb]} ${what}.` });
    close(true);
  };
  const { request, count: requested } = firstRequestOf(kind, objects, actionOf());
  const isReady = dependants.value !== undefined && (!isLabel || label.trim() !== '');
  return (
    <Modal
      visible
      header={`${buttons[verb]}: ${what}`}
      onDismiss={() => (busy ? stop() : close(wasSent))}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={() => (busy ? stop() : close(wasSent))}>
              {busy ? 'Stop' : wasSent ? 'Close' : 'Cancel'}
            </Button>
            {!wasSent && (
              <Button variant="primary" loading={busy} disabled={!isReady} onClick={() => void submit()}>
                {buttons[verb]}
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <NamedObjects title={`Selected (${objects.length}):`} names={objects.map((object) => kind.nameOf(object))} />
        {isLabel && (
          <FormField label="Label" description="Letters, digits and underscores.">
            <Input value={label} spellcheck={false} onChange={({ detail }) => setLabel(detail.value)} />
          </FormField>
        )}
        {verb === 'set_label' && (
          <FormField label="Value" description="Replaces the value of objects that already have the label.">
            <Input value={value} spellcheck={false} onChange={({ detail }) => setValue(detail.value)} />
          </FormField>
        )}
        {verb === 'remove' && (
          <div>No running program is stopped or deleted. Removed objects can be restored for 7 days.</div>
        )}
        {dependants.failure !== undefined && (
          <FailureAlert
            failure={dependants.failure}
            what="The dependent objects are unknown"
            retry={dependants.reload}
          />
        )}
        {verb === 'remove' &&
          (dependants.value === undefined ? (
            dependants.failure === undefined && (
              <StatusIndicator type="loading">Loading dependent objects</StatusIndicator>
            )
          ) : (
            <Consequences dependants={dependants.value} what={what} />
          ))}
        {!wasSent && (
          <CurlSection
            request={request}
            note={requested < objects.length ? `The first request, with ${requested} of ${what}.` : undefined}
          />
        )}
        {(busy || wasSent) && (
          <ProgressBar
            label={`${buttons[verb]}: ${results.length} of ${objects.length}`}
            value={(100 * results.length) / Math.max(objects.length, 1)}
          />
        )}
        {failure !== undefined && <FailureAlert failure={failure} what="The server refused a part of the selection" />}
        <Failures kind={kind} results={results} />
      </SpaceBetween>
    </Modal>
  );
}
