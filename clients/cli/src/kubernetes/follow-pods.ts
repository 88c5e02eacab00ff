import type { Clock } from '../core/clock.ts';
import { type Fields, isFields, isList } from '../core/values.ts';
import { isGone, type KubernetesApi, refusalOf } from './api.ts';
import { type DatabasePod, databaseIn, keyOf } from './pods.ts';

/** All pods of databases, by namespace and name. */
export type DatabasePods = ReadonlyMap<string, DatabasePod>;

/** Pods in one reply. Their objects have some 10 kB each. */
const PAGE = 500;

/** In milliseconds. */
export interface FollowTimers {
  /** From one complete list to the next. */
  relist: number;
  /** Before the first repetition of a request that failed; doubled for each further one. */
  retry: number;
  maxRetry: number;
}

interface PodList {
  pods: Map<string, DatabasePod>;
  version: string;
}

export interface PodSource {
  api: KubernetesApi;
  /** Only pods of this namespace. */
  namespace: string | undefined;
  warn: (message: string) => void;
}

const pathOf = (namespace: string | undefined) =>
  namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;

const metadataOf = (value: unknown): Fields =>
  isFields(value) && isFields(value['metadata']) ? value['metadata'] : {};

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/**
 * All pages of the pods. Without `resourceVersion`: the list is consistent. With `0` it could be older than the last one.
 *
 * @throws KubernetesError or an error of the connection: then there is no list.
 */
export async function listPods({ api, namespace, warn }: PodSource, signal: AbortSignal): Promise<PodList> {
  const pods = new Map<string, DatabasePod>();
  for (let next = ''; ;) {
    const query = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const page = await api.send('GET', `${pathOf(namespace)}?limit=${PAGE}${query}`, signal);
    if (!isFields(page) || !isList(page['items'])) throw refusalOf(200, { message: 'The reply is no list of pods.' });
    for (const item of page['items']) {
      const pod = databaseIn(item, warn);
      if (pod !== undefined) pods.set(keyOf(item), pod);
    }
    const { continue: more, resourceVersion: version } = metadataOf(page);
    next = textOf(more);
    if (next === '') return { pods, version: textOf(version) };
  }
}

/** Applies the events of a watch to the list. Yields when the watch is open, and after each event that changes the list. */
async function* watchPods(
  { api, namespace, warn }: PodSource,
  list: PodList,
  seconds: number,
  signal: AbortSignal,
): AsyncGenerator<undefined, void, void> {
  const query = `?watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(list.version)}`;
  const events = await api.watch(`${pathOf(namespace)}${query}`, seconds, signal);
  yield undefined;
  for await (const event of events) {
    const { type, object }: Fields = isFields(event) ? event : {};
    if (type === 'ERROR') throw refusalOf(500, object);
    const key = keyOf(object);
    const before = JSON.stringify(list.pods.get(key));
    const pod = type === 'BOOKMARK' || type === 'DELETED' ? undefined : databaseIn(object, warn);
    if (pod !== undefined) list.pods.set(key, pod);
    else if (type !== 'BOOKMARK') list.pods.delete(key);
    list.version = textOf(metadataOf(object)['resourceVersion']) || list.version;
    if (JSON.stringify(list.pods.get(key)) !== before) yield undefined;
  }
}

/**
 * Follows the pods without end. Yields all pods when they are known and after each change, and undefined as soon as
 * they are not known: before a complete list, and while no watch is open.
 */
export async function* followPods(
  source: PodSource,
  { relist, retry, maxRetry }: FollowTimers,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<DatabasePods | undefined, void, void> {
  let failures = 0;
  const recover = async (error: unknown) => {
    signal.throwIfAborted();
    // Not an error: Kubernetes keeps versions for some minutes only.
    if (!isGone(error)) source.warn(error instanceof Error ? error.message : String(error));
    const wait = Math.min(maxRetry, retry * 2 ** failures) * (1 + Math.random());
    failures += 1;
    await clock.pause(wait, signal);
  };
  for (;;) {
    yield undefined;
    let list: PodList | undefined;
    try {
      list = await listPods(source, signal);
    } catch (error) {
      await recover(error);
      continue;
    }
    for (const end = clock.elapsed() + relist; list !== undefined && clock.elapsed() < end;) {
      const seconds = Math.max(1, Math.ceil((end - clock.elapsed()) / 1000));
      try {
        const changes = watchPods(source, list, seconds, signal);
        while ((await changes.next()).done !== true) {
          failures = 0;
          yield list.pods;
        }
        yield undefined;
        // A server that ends each watch at once is not asked without end.
        await clock.pause(retry, signal);
      } catch (error) {
        yield undefined;
        if (isGone(error)) list = undefined;
        await recover(error);
      }
    }
  }
}
