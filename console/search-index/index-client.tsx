import { type Remote, wrap } from 'comlink';
import { endpoint as listChanges } from '../../functions/api/changes/list/endpoint.ts';
import { endpoint as exportInventory } from '../../functions/api/inventory/export/endpoint.ts';
import { endpoint as getSummary } from '../../functions/api/summary/get/endpoint.ts';
import { ApiFailure, call, callForText, onInventoryWrite, type ReplyOf } from '../api/client.tsx';
import type { IndexService } from './index-service.ts';
import { indexState, MAX_INDEXED } from './index-state.tsx';
import type { ObjectChange } from './inventory-index.ts';

type Change = ReplyOf<typeof listChanges>['changes'][number];

/** The largest page of an export. */
const EXPORT_PAGE = 1000;

/** The largest page of changes. */
const CHANGES_PAGE = 1000;

/** The interval at which the change feed is read while the page is visible. A wait on the server would cost its whole duration. */
const FOLLOW_MS = 10_000;

/** The feed also contains changes of states, which the index does not have. */
function objectChangeOf({ kind, ...change }: Change): ObjectChange[] {
  return kind === 'state' ? [] : [{ kind, ...change }];
}

/** Reads the inventory into the worker, and keeps it up to date until it is stopped. */
export class IndexClient {
  readonly #worker: Worker;
  readonly #stop = new AbortController();
  #wake: () => void = () => {};
  /** Number of requests to read: at the start of the index, and after each write of this page. */
  #asked = 1;
  /** Of these requests, those that were answered by a reading that began after them. */
  #answered = 0;
  /** Called after each reading. */
  readonly #waiting = new Set<() => void>();
  readonly remote: Remote<IndexService>;

  constructor() {
    this.#worker = new Worker(new URL('./worker.tsx', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('error', () => this.#fail('The script of the search could not be loaded.'));
    this.remote = wrap<IndexService>(this.#worker);
    const { signal } = this.#stop;
    document.addEventListener('visibilitychange', () => this.refresh(), { signal });
    signal.addEventListener(
      'abort',
      onInventoryWrite(() => this.refresh()),
    );
  }

  /** @param owner the session that the copy in the browser belongs to; undefined for no copy. */
  async run(owner: string | undefined): Promise<void> {
    try {
      const copy = await this.remote.open(owner);
      if (copy !== undefined) indexState.set({ phase: 'ready', count: copy.count, version: 0 });
      let cursor = copy?.cursor;
      while (!this.#stop.signal.aborted) {
        const asked = this.#asked;
        cursor = cursor === undefined ? await this.#read() : await this.#follow(cursor);
        this.#answer(asked);
        if (cursor === undefined) return;
        await this.#pause();
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#fail(error instanceof Error ? error.message : String(error), error);
    } finally {
      this.#answer(Infinity);
    }
  }

  /** Reads the changes now. A reading that has begun may lack the latest ones: another one follows it. */
  refresh(): void {
    if (document.hidden) return;
    this.#asked += 1;
    this.#wake();
  }

  /** Resolves after the changes that this page has made were read, or could not be read. */
  async current(): Promise<void> {
    const asked = this.#asked;
    while (this.#answered < asked) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  stop(): void {
    this.#stop.abort();
    this.#worker.terminate();
    this.#wake();
    this.#answer(Infinity);
  }

  #answer(asked: number): void {
    this.#answered = asked;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  #fail(message: string, error?: unknown): void {
    const failure = error instanceof ApiFailure ? error : new ApiFailure(0, { message });
    indexState.set({ phase: 'failed', failure });
  }

  /** Until the next reading; a hidden page reads nothing. */
  async #pause(): Promise<void> {
    if (this.#answered < this.#asked) return;
    const hidden = document.hidden;
    await new Promise<void>((resolve) => {
      const timer = hidden ? undefined : setTimeout(resolve, FOLLOW_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  /** @returns the cursor to follow from; undefined when the inventory is too large. */
  async #read(): Promise<string | undefined> {
    const { signal } = this.#stop;
    indexState.set({ phase: 'reading', read: 0, total: undefined });
    await this.remote.clear();
    const total = await this.#total();
    if (total !== undefined && total > MAX_INDEXED) return this.#tooLarge();
    indexState.set({ phase: 'reading', read: 0, total });
    const { next: cursor } = await call(listChanges, { query: { since: 'now' } }, { signal });
    for (let token: string | undefined; ;) {
      const query = { page_size: EXPORT_PAGE, page_token: token };
      const lines = await callForText(exportInventory, { query }, { signal });
      const page: { count: number; next: string | undefined } = await this.remote.addPage(lines);
      if (page.count > MAX_INDEXED) return this.#tooLarge();
      indexState.set({ phase: 'reading', read: page.count, total });
      token = page.next;
      if (token !== undefined) continue;
      await this.remote.complete(cursor);
      indexState.set({ phase: 'ready', count: page.count, version: 0 });
      return cursor;
    }
  }

  async #tooLarge(): Promise<undefined> {
    await this.remote.clear();
    indexState.set({ phase: 'too_large' });
  }

  /** The number of objects, for the progress; undefined when it is unknown. */
  async #total(): Promise<number | undefined> {
    try {
      const { nodes, services, agents, complete } = await call(getSummary, {}, { signal: this.#stop.signal });
      return complete ? nodes.total + services.total + agents.total : undefined;
    } catch (error) {
      if (error instanceof ApiFailure) return undefined;
      throw error;
    }
  }

  /** Failures of a single reading are repeated: the index stays as it is until the server answers. */
  async #follow(cursor: string): Promise<string | undefined> {
    const state = indexState.get();
    if (document.hidden || state.phase !== 'ready') return cursor;
    try {
      return await this.#catchUp(cursor, state);
    } catch (error) {
      if (error instanceof ApiFailure) return cursor;
      throw error;
    }
  }

  /** Applies all changes after a cursor. After 30 days the server no longer has them: the inventory is read again. */
  async #catchUp(since: string, { count, version }: { count: number; version: number }): Promise<string | undefined> {
    const options = { signal: this.#stop.signal, background: true };
    try {
      for (let [cursor, expectedCount] = [since, count]; ;) {
        const { changes, next, more } = await call(
          listChanges,
          { query: { since: cursor, limit: CHANGES_PAGE } },
          options,
        );
        expectedCount = await this.remote.take(changes.flatMap(objectChangeOf), next);
        if (changes.length > 0) indexState.set({ phase: 'ready', count: expectedCount, version: version + 1 });
        if (!more) return next;
        cursor = next;
      }
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 410) return this.#read();
      throw error;
    }
  }
}
