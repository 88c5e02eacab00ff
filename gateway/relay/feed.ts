import type { MonotonicClock } from '../../shared/core/monotonic-clock.ts';
import { type FeedPosition, FeedPositions } from './feed-position.ts';
import { type Inventory, type InventoryChange, InventoryError } from './inventory.ts';

const MAX_PAUSE_MS = 15_000;

interface FeedOptions {
  inventory: Inventory;
  onChanges: (changes: readonly InventoryChange[]) => void;
  /** Changes were missed: all is to be read again. */
  onGap: () => void;
  onFailure: (error: unknown) => void;
  /** Milliseconds between two reads. */
  readMs: number;
  monotonic: MonotonicClock;
}

/** The ids of the objects that changed, and of the processes of the agents among them. */
export function changedIds(changes: readonly InventoryChange[]): Set<string> {
  const processes = changes.map(({ kind, after }) => (kind === 'agent' ? after?.['pmm_agent_id'] : undefined));
  return new Set([...changes.map(({ id }) => id), ...processes.filter((id) => typeof id === 'string')]);
}

/** Follows the change feed while there are hosts. */
export class Feed {
  readonly #options: FeedOptions;
  #cursor: string | undefined;
  #cancelRead: (() => void) | undefined;
  #starting: Promise<void> | undefined;
  #pauseMs: number;
  #readAt: number | undefined;

  readonly #positions: FeedPositions;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#pauseMs = options.readMs;
    this.#positions = new FeedPositions(options.monotonic);
  }

  /** The position now, for objects that are read after it. The feed has been started. */
  position(): FeedPosition {
    return this.#positions.now();
  }

  /** Milliseconds since the last complete read; undefined before the first one. */
  get ageMs(): number | undefined {
    return this.#readAt === undefined ? undefined : this.#options.monotonic.now() - this.#readAt;
  }

  /** Resolves when all changes from now on will be delivered. @throws as the inventory. */
  async start(): Promise<void> {
    if (this.#cursor !== undefined) return;
    this.#starting ??= this.#begin().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  async #begin(): Promise<void> {
    const { next } = await this.#options.inventory.changes('now');
    this.#cursor = next;
    this.#readAt = this.#options.monotonic.now();
    this.#schedule();
  }

  #schedule(): void {
    this.#cancelRead?.();
    this.#cancelRead = this.#options.monotonic.after(this.#pauseMs, () => void this.#read(), { ref: false });
  }

  async #read(): Promise<void> {
    const { inventory, onChanges, onGap, onFailure } = this.#options;
    try {
      for (let more = true; more && this.#cursor !== undefined;) {
        const page = await inventory.changes(this.#cursor);
        if (this.#isStopped()) return;
        this.#cursor = page.next;
        more = page.more;
        if (page.changes.length === 0) continue;
        this.#positions.add(changedIds(page.changes));
        onChanges(page.changes);
      }
      this.#pauseMs = this.#options.readMs;
      this.#readAt = this.#options.monotonic.now();
    } catch (error) {
      if (error instanceof InventoryError && error.status === 410) await this.#restart(onGap);
      else onFailure(error);
      this.#pauseMs = Math.min(MAX_PAUSE_MS, 2 * this.#pauseMs);
    }
    if (!this.#isStopped()) this.#schedule();
  }

  /** The cursor is too old: begins at the present. */
  async #restart(onGap: () => void): Promise<void> {
    try {
      const { next } = await this.#options.inventory.changes('now');
      this.#cursor = next;
      this.#readAt = this.#options.monotonic.now();
      this.#positions.gap();
      onGap();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #isStopped(): boolean {
    return this.#cursor === undefined;
  }

  stop(): void {
    this.#cancelRead?.();
    this.#cursor = undefined;
    this.#positions.gap();
    this.#pauseMs = this.#options.readMs;
  }
}
