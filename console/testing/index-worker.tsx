import { expose } from 'comlink';
import { IndexService } from '../search-index/index-service.ts';

type Listener = (event: { data: unknown }) => void;

/** One of two ends: what it is sent arrives at the listeners of the other one, as a copy, in a later microtask. */
class End {
  readonly #listeners = new Set<Listener>();
  other: End | undefined;

  addEventListener(type: string, listener: Listener): void {
    if (type === 'message') this.#listeners.add(listener);
  }

  removeEventListener(_type: string, listener: Listener): void {
    this.#listeners.delete(listener);
  }

  postMessage(message: unknown): void {
    const data: unknown = structuredClone(message);
    queueMicrotask(() => this.other?.receive(data));
  }

  receive(data: unknown): void {
    for (const listener of [...this.#listeners]) listener({ data });
  }
}

/** The worker with the search index, in this process. The browser keeps no copy of the index here. */
export class IndexWorker extends End {
  constructor() {
    super();
    const inside = new End();
    [this.other, inside.other] = [inside, this];
    expose(new IndexService(() => Promise.resolve(undefined)), inside as never);
  }

  terminate(): void {
    this.other = undefined;
  }
}
