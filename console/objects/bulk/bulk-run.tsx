import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Fragment } from 'react';
import type { ApiFailure } from '../../api/client.tsx';
import { session } from '../../api/session.tsx';
import { createStore, type Store, useStore } from '../../api/store.ts';
import { type BulkAction, type BulkKind, type BulkResult, runBulk, undoBulk } from '../../model/bulk.tsx';
import type { InventoryObject } from '../../model/kinds.tsx';
import { nameOfRemoved } from '../../model/removal.ts';
import { undoRemoval } from '../../model/restore.tsx';
import { refusalTitle } from '../../ui/failure-alert.tsx';
import { FirstItems } from '../../ui/first-items.tsx';
import { flash, type FlashMessage } from '../../ui/flash.ts';
import { failureOf } from '../../ui/use-load.tsx';
import { numberText, plural } from '../../ui/words.ts';
import { addUndoable } from './undoable-message.tsx';

const MAX_NAMED = 20;

/** The message stays on every page until the user dismisses it. */
const EVERY_PAGE = { pages: Infinity };

/** The running actions, each with its controller. */
const running = new Set<AbortController>();

const keepTab = (event: BeforeUnloadEvent) => event.preventDefault();

function begin(): AbortController {
  const controller = new AbortController();
  running.add(controller);
  addEventListener('beforeunload', keepTab);
  return controller;
}

function end(controller: AbortController): void {
  running.delete(controller);
  if (running.size === 0) removeEventListener('beforeunload', keepTab);
}

// A log-out stops all actions of the user.
session.subscribe(() => {
  if (session.state().kind === 'out') for (const controller of running) controller.abort(session);
});

function Progress({ label, count, total }: { label: string; count: Store<number>; total: number }) {
  const done = useStore(count);
  return (
    <ProgressBar
      variant="flash"
      label={label}
      value={(100 * done) / Math.max(total, 1)}
      additionalInfo={`${numberText(done)} of ${numberText(total)} done. You can leave this page.`}
    />
  );
}

interface Bulk<T extends InventoryObject> {
  kind: BulkKind<T>;
  objects: readonly T[];
  action: BulkAction;
  /** The name of the action: `Set label`. */
  title: string;
  /** The start of the success message: `The label was set on`. */
  done: string;
  /** Other changes by the action: ` with 14 dependent objects`. */
  also?: string;
  /** Called in the end, unless nothing was changed. @param rest the objects without a result. */
  ended: (rest: readonly T[]) => void;
}

/** The names of the failed objects, each with the reason. */
function Failures<T extends InventoryObject>({
  kind,
  failed,
}: {
  kind: BulkKind<T>;
  failed: readonly BulkResult<T>[];
}) {
  if (failed.length === 0) return null;
  return (
    <FirstItems
      max={MAX_NAMED}
      items={failed.map((one) => (
        <Fragment key={kind.idOf(one.object)}>
          <b>
            <bdi className="any-word">{kind.nameOf(one.object)}</bdi>
          </b>
          : <bdi className="any-word">{one.failure}</bdi>
        </Fragment>
      ))}
    />
  );
}

/** The message about the result of the action. */
function messageOf<T extends InventoryObject>(
  { kind, objects, title, done, also = '' }: Bulk<T>,
  results: readonly BulkResult<T>[],
  failure: ApiFailure | undefined,
): Omit<FlashMessage, 'id'> {
  const failed = results.filter((one) => one.failure !== undefined);
  const succeeded = results.length - failed.length;
  const what = plural(objects.length, kind.noun);
  if (succeeded === objects.length) return { type: 'success', content: `${done} ${what}${also}.` };
  const summary = `${done} ${numberText(succeeded)} of ${what}.`;
  if (failure === undefined && failed.length === 0)
    return { type: 'warning', header: `${title}: stopped`, content: summary };
  return {
    type: 'error',
    header: failure === undefined ? `${title}: ${plural(failed.length, kind.noun)} failed` : refusalTitle(failure),
    content: (
      <SpaceBetween size="xs">
        <div>
          {summary}
          {failure !== undefined && <bdi className="any-word"> {failure.message}</bdi>}
        </div>
        <Failures kind={kind} failed={failed} />
      </SpaceBetween>
    ),
  };
}

/** Undoes the action on the objects that it has changed, and shows the result. */
async function undo<T extends InventoryObject>(
  { kind, action, ended }: Bulk<T>,
  succeeded: readonly BulkResult<T>[],
): Promise<void> {
  try {
    if (action.verb === 'remove') {
      const { restored, left } = await undoRemoval(succeeded.map(({ object }) => kind.idOf(object)));
      const text = `${plural(restored.length, 'object')} restored.`;
      const rest = left.map((object) => `${object.kind} ${nameOfRemoved(object)}: ${object.message}`);
      flash.add(
        rest.length === 0
          ? { type: 'success', content: text }
          : { type: 'warning', header: text, content: <FirstItems max={MAX_NAMED} items={rest} /> },
      );
    } else {
      const results = await undoBulk(succeeded, action);
      const failed = results.filter(({ failure }) => failure !== undefined);
      const text = `The former state of ${numberText(results.length - failed.length)} of ${plural(results.length, kind.noun)} was restored.`;
      flash.add(
        failed.length === 0
          ? { type: 'success', content: text }
          : { type: 'warning', header: text, content: <Failures kind={kind} failed={failed} /> },
      );
    }
  } catch (error) {
    flash.add({ type: 'error', header: 'The action could not be undone', content: failureOf(error).message });
  }
  ended([]);
}

/** Shows the result of the action, with a button that undoes it. */
function tell<T extends InventoryObject>(
  bulk: Bulk<T>,
  results: readonly BulkResult<T>[],
  failure: ApiFailure | undefined,
): void {
  const message = messageOf(bulk, results, failure);
  const pages = message.type === 'success' ? { pages: 1 } : EVERY_PAGE;
  const succeeded = results.filter((one) => one.failure === undefined);
  if (succeeded.length === 0) flash.add(message, pages);
  else addUndoable(message, `Undo: ${bulk.title}`, () => undo(bulk, succeeded), pages);
}

/**
 * Starts an action on several objects. Every page shows its progress at the top, with a button that stops it, and then
 * its result.
 *
 * @returns after the first reply: the failure if nothing was changed, or undefined while the action continues.
 */
export function startBulk<T extends InventoryObject>(bulk: Bulk<T>): Promise<ApiFailure | undefined> {
  const { kind, objects, action, title, ended } = bulk;
  const controller = begin();
  const first = Promise.withResolvers<ApiFailure | undefined>();
  const count = createStore(0);
  const label = `${title}: ${plural(objects.length, kind.noun)}`;
  const id = flash.add(
    {
      type: 'in-progress',
      content: <Progress label={label} count={count} total={objects.length} />,
      action: <Button onClick={() => controller.abort()}>Stop</Button>,
    },
    EVERY_PAGE,
  );
  let results: readonly BulkResult<T>[] = [];
  const progress = (next: readonly BulkResult<T>[]) => {
    results = next;
    count.set(next.length);
    first.resolve(undefined);
  };
  const run = async () => {
    let failure: ApiFailure | undefined;
    try {
      await runBulk(objects, action, { progress, signal: controller.signal });
    } catch (error) {
      failure = failureOf(error);
    }
    end(controller);
    flash.dismiss(id);
    first.resolve(failure);
    if (controller.signal.reason === session || (failure !== undefined && results.length === 0)) return;
    tell(bulk, results, failure);
    const over = new Set(results.filter((one) => one.failure === undefined || one.isGone).map(({ object }) => object));
    ended(objects.filter((object) => !over.has(object)));
  };
  run().catch(first.reject);
  return first.promise;
}
