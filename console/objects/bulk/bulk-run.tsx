import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Fragment } from 'react';
import type { ApiFailure } from '../../api/client.tsx';
import { session } from '../../api/session.tsx';
import { createStore, type Store, useStore } from '../../api/store.ts';
import { type BulkAction, type BulkResult, runBulk } from '../../model/bulk.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { refusalTitle } from '../../ui/failure-alert.tsx';
import { FirstItems } from '../../ui/first-items.tsx';
import { flash } from '../../ui/flash.ts';
import { failureOf } from '../../ui/use-load.tsx';
import { plural } from '../../ui/words.ts';

const MAX_NAMED = 20;

/** What is done until the user dismisses its message. */
const EVERY_PAGE = { pages: Infinity };

/** The actions that have not ended, each with what stops it. */
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

// Nothing is changed for somebody who has logged out.
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
      additionalInfo={`${done} of ${total} done. You can leave this page.`}
    />
  );
}

interface Bulk<T extends InventoryObject> {
  kind: Kind<T>;
  objects: readonly T[];
  action: BulkAction;
  /** What the action is called: `Set label`. */
  title: string;
  /** What it has done: `The label was set on`. */
  done: string;
  /** Called in the end, unless nothing was changed. @param rest the objects that are left to do. */
  ended: (rest: readonly T[]) => void;
}

/** Says in the end what was done, which objects failed, and why. */
function tell<T extends InventoryObject>(
  { kind, objects, title, done }: Bulk<T>,
  results: readonly BulkResult<T>[],
  failure: ApiFailure | undefined,
): void {
  const failed = results.filter((one) => one.failure !== undefined);
  const succeeded = results.length - failed.length;
  const what = plural(objects.length, kind.noun);
  if (succeeded === objects.length) {
    flash.add({ type: 'success', content: `${done} ${what}.` });
    return;
  }
  const summary = `${done} ${succeeded} of ${what}.`;
  if (failure === undefined && failed.length === 0) {
    flash.add({ type: 'warning', header: `${title}: stopped`, content: summary }, EVERY_PAGE);
    return;
  }
  flash.add(
    {
      type: 'error',
      header: failure === undefined ? `${title}: ${plural(failed.length, kind.noun)} failed` : refusalTitle(failure),
      content: (
        <SpaceBetween size="xs">
          <div>
            {summary}
            {failure !== undefined && <span className="any-word"> {failure.message}</span>}
          </div>
          {failed.length > 0 && (
            <FirstItems
              max={MAX_NAMED}
              items={failed.map((one) => (
                <Fragment key={kind.idOf(one.object)}>
                  <b className="any-word">{kind.nameOf(one.object)}</b>: <span className="any-word">{one.failure}</span>
                </Fragment>
              ))}
            />
          )}
        </SpaceBetween>
      ),
    },
    EVERY_PAGE,
  );
}

/**
 * Begins an action on several objects. Its progress, with a button that stops it, stays at the top of every page, and so
 * does what it has come to.
 *
 * @returns after the first answer: why nothing was done, or undefined while the action continues.
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
      await runBulk(kind, objects, action, { progress, signal: controller.signal });
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
