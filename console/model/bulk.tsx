import { endpoint as runBatch } from '../../functions/api/batch/run/endpoint.ts';
import { ApiFailure, call, parsedBy, type ReplyOf, requestOf } from '../api/client.tsx';
import { agents, type InventoryObject, isObjectOf, type Kind, nodes, services } from './kinds.tsx';

/** The change of each selected object. */
export type BulkAction =
  | { verb: 'set_label'; label: string; value: string }
  | { verb: 'remove_label'; label: string }
  | { verb: 'disable' | 'enable' }
  /** `force` also removes the objects that depend on it. */
  | { verb: 'remove'; force: boolean };

/**
 * Operations of one request. The number is small so that the progress moves, and that a request ends well before its
 * time limit.
 */
const OPERATIONS = 50;

/** Retries of operations that a busy server did not perform (status 503). */
const ATTEMPTS = 3;

export interface BulkResult<T> {
  object: T;
  /** The revision of the object after a change, if the reply contains it. */
  revision: number | undefined;
  /** The message of a failure; undefined for a success. */
  failure: string | undefined;
  /** Whether the object was removed before. */
  isGone: boolean;
}

type Result = ReplyOf<typeof runBatch>['results'][number];

/** The objects of an action: of one kind, or of several. */
export type BulkKind<T> = Pick<Kind<T & InventoryObject>, 'idOf' | 'nameOf'> & {
  noun: Kind<InventoryObject>['noun'] | 'object';
};

/** Calls a function with the kind of an object. */
function withKind<R>(object: InventoryObject, use: <K extends InventoryObject>(kind: Kind<K>, object: K) => R): R {
  if (isObjectOf(nodes, object)) return use(nodes, object);
  if (isObjectOf(services, object)) return use(services, object);
  if (isObjectOf(agents, object)) return use(agents, object);
  throw new Error('The object has no kind.');
}

/** Objects of several kinds. */
export const anyKind: BulkKind<InventoryObject> = {
  noun: 'object',
  idOf: (object) => withKind(object, (kind, member) => kind.idOf(member)),
  nameOf: (object) => withKind(object, (kind, member) => kind.nameOf(member)),
};

const nouns = { node: 'Node', service: 'Service', agent: 'Agent' } as const;

type Change = Exclude<BulkAction, { verb: 'remove' }>;

export function changeOf(action: Change): object {
  switch (action.verb) {
    case 'set_label':
      return { custom_labels: { [action.label]: action.value } };
    case 'remove_label':
      return { custom_labels: { [action.label]: null } };
    case 'disable':
    case 'enable':
      return { disabled: action.verb === 'disable' };
  }
}

interface ObjectOperation<T> {
  object: T;
  operation: object;
}

const opOf = (verb: 'change' | 'remove', object: InventoryObject) =>
  `${verb}${withKind(object, ({ noun }) => nouns[noun])}`;

function operationOf(object: InventoryObject, action: BulkAction) {
  const id = anyKind.idOf(object);
  if (action.verb === 'remove') return { op: opOf('remove', object), id, force: action.force };
  return { op: opOf('change', object), id, body: changeOf(action) };
}

/** The first request of an action, and the number of its objects. */
export function firstRequestOf(objects: readonly InventoryObject[], action: BulkAction) {
  const operations = objects.slice(0, OPERATIONS).map((object) => operationOf(object, action));
  return { request: requestOf(runBatch, { body: { operations } }), count: operations.length };
}

/** The removal of an object that the removal of another selected object has already removed is a success. */
function failureIn({ status, error }: Result, isRemoval: boolean): string | undefined {
  if (status < 300 || (isRemoval && status === 404)) return undefined;
  return error?.message ?? `The server returned status ${status}.`;
}

async function resultsOf(operations: readonly object[]): Promise<readonly Result[]> {
  try {
    return (await call(runBatch, { body: parsedBy(runBatch.body, { operations }) })).results;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 503) throw error;
    return operations.map(() => ({ status: 503 }));
  }
}

interface RunOptions<T> {
  /** Called with the results so far, after each request. */
  progress: (results: readonly BulkResult<T>[]) => void;
  /** Ends the work after the present request. */
  signal: AbortSignal;
}

/** Runs operations in batches. Each succeeds or fails separately. @throws as `runBulk`. */
async function runOperations<T>(
  operations: readonly ObjectOperation<T>[],
  isRemoval: boolean,
  { progress, signal }: RunOptions<T>,
): Promise<readonly BulkResult<T>[]> {
  const done: BulkResult<T>[] = [];
  let waiting = operations.map((operation) => ({ ...operation, attempts: 0 }));
  while (waiting.length > 0 && !signal.aborted) {
    const present = waiting.slice(0, OPERATIONS);
    const results = await resultsOf(present.map(({ operation }) => operation));
    const again = present.filter(({ attempts }, index) => results[index]?.status === 503 && attempts + 1 < ATTEMPTS);
    for (const [index, operation] of present.entries()) {
      const result = results[index];
      if (again.includes(operation) || result === undefined) continue;
      const failure = failureIn(result, isRemoval);
      done.push({ object: operation.object, revision: result.body?.revision, failure, isGone: result.status === 404 });
    }
    waiting = [
      ...again.map((operation) => ({ ...operation, attempts: operation.attempts + 1 })),
      ...waiting.slice(OPERATIONS),
    ];
    progress([...done]);
  }
  return done;
}

/**
 * Applies an action to several objects, in batches. Each object succeeds or fails separately.
 *
 * @throws ApiFailure when the server refuses or does not answer a whole request; the objects of earlier requests are
 * done.
 */
export async function runBulk<T extends InventoryObject>(
  objects: readonly T[],
  action: BulkAction,
  options: RunOptions<T>,
): Promise<void> {
  const operations = objects.map((object) => ({ object, operation: operationOf(object, action) }));
  await runOperations(operations, action.verb === 'remove', options);
}

/** The body that returns an object to its state before an action. */
function formerOf(object: InventoryObject, action: Change): object {
  if (!('label' in action)) return { disabled: action.verb === 'enable' };
  return { custom_labels: { [action.label]: object.custom_labels[action.label] ?? null } };
}

/**
 * Returns the changed objects to their state before an action. An object that was changed again since then, or between
 * its loading and the action, keeps its state.
 *
 * @param results of the action.
 * @returns the result of each object that the action has changed.
 * @throws ApiFailure as `runBulk`.
 */
export async function undoBulk<T extends InventoryObject>(
  results: readonly BulkResult<T>[],
  action: Change,
): Promise<readonly BulkResult<T>[]> {
  const changed = results.filter(({ object, revision }) => revision !== undefined && revision !== object.revision);
  const isKnown = ({ object, revision }: BulkResult<T>) => revision === object.revision + 1;
  const operations = changed.filter(isKnown).map(({ object, revision }) => ({
    object,
    operation: {
      op: opOf('change', object),
      id: anyKind.idOf(object),
      if_match: revision,
      body: formerOf(object, action),
    },
  }));
  const unknown = changed
    .filter((operation) => !isKnown(operation))
    .map((operation) => ({ ...operation, failure: 'Its former state is unknown.' }));
  const options = { progress: () => undefined, signal: new AbortController().signal };
  return [...unknown, ...(await runOperations(operations, false, options))];
}
