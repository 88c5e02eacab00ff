import * as z from 'zod/mini';
import { type StoredObject, storedSchema } from './indexed-object.ts';
import { type IndexQuery, InventoryIndex, type ObjectChange } from './inventory-index.ts';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';

const endSchema = z.object({
  kind: z.literal('end'),
  complete: z.boolean(),
  next_page_token: z.optional(z.string()),
});

const lineSchema = z.union([storedSchema, endSchema]);

export interface ReadPage {
  /** The number of objects in the index. */
  count: number;
  /** The token of the next page; undefined after the last one. */
  next: string | undefined;
}

/** Changes since the last write: an object, or undefined for a removed one. */
export type ObjectChanges = ReadonlyMap<string, StoredObject | undefined>;

/** A copy of the index that a reload of the page continues from. */
export interface IndexCopy {
  /** The objects and their cursor; undefined if nothing complete of this session is stored. */
  read: () => Promise<{ cursor: string; objects: readonly StoredObject[] } | undefined>;
  /** Replaces everything. An interrupted write leaves nothing that could be read. */
  replace: (objects: readonly StoredObject[], cursor: string) => Promise<void>;
  /** Writes changes and their cursor, both or none. */
  write: (changes: ObjectChanges, cursor: string) => Promise<void>;
  close: () => void;
}

/** The index with its copy in the browser's database. It runs in a worker, so that no work on it delays the page. */
export class IndexService {
  readonly #index = new InventoryIndex();
  readonly #openCopy: (owner: string) => Promise<IndexCopy | undefined>;
  #stored: IndexCopy | undefined;

  constructor(openCopy: (owner: string) => Promise<IndexCopy | undefined>) {
    this.#openCopy = openCopy;
  }

  /**
   * Opens the copy of a session.
   *
   * @param owner the id of the session; undefined for credentials that no reload continues, which have no copy.
   * @returns the cursor and the number of objects of the copy; undefined if there is none.
   */
  async open(owner: string | undefined): Promise<{ cursor: string; count: number } | undefined> {
    this.#stored = owner === undefined ? undefined : await this.#openCopy(owner);
    const copy = await this.#stored?.read().catch(() => undefined);
    if (copy === undefined) return undefined;
    for (const object of copy.objects) this.#index.add(object);
    return { cursor: copy.cursor, count: this.#index.size };
  }

  clear(): void {
    this.#index.clear();
  }

  /**
   * Adds a page of an export.
   *
   * @throws Error for a page without its end, or with a line of an unknown kind.
   */
  addPage(lines: string): ReadPage {
    let end: z.output<typeof endSchema> | undefined;
    for (const line of lines.split('\n')) {
      if (line === '') continue;
      const value = z.parse(lineSchema, JSON.parse(line));
      if (value.kind === 'end') end = value;
      else this.#index.add(value);
    }
    if (end === undefined) throw new Error('The page of the export has no end.');
    return { count: this.#index.size, next: end.next_page_token };
  }

  /** The last page was added: from now on, a reload continues from the cursor. */
  async complete(cursor: string): Promise<void> {
    await this.#keep((stored) => stored.replace(this.#index.objects(), cursor));
  }

  /** Applies changes of the feed. @returns the number of objects in the index. */
  async take(changes: readonly ObjectChange[], cursor: string): Promise<number> {
    const taken = new Map<string, StoredObject | undefined>();
    for (const change of changes) {
      const stored = this.#index.take(change);
      if (stored !== undefined || change.action === 'removed') taken.set(change.id, stored);
    }
    await this.#keep((stored) => stored.write(taken, cursor));
    return this.#index.size;
  }

  search(text: string, limit: number) {
    return this.#index.search(text, limit);
  }

  list(query: IndexQuery) {
    return this.#index.list(query);
  }

  values(kind: ObjectKind, fields: readonly string[]) {
    return this.#index.values(kind, fields);
  }

  labels(kind: ObjectKind) {
    return this.#index.labels(kind);
  }

  clusterNames() {
    return this.#index.clusterNames();
  }

  /** Without its copy the index still works: a reload reads the inventory again. */
  async #keep(write: (stored: IndexCopy) => Promise<void>): Promise<void> {
    try {
      if (this.#stored !== undefined) await write(this.#stored);
    } catch {
      // The disk is full, or another tab has removed the database. A later write would leave out this one.
      this.#stored?.close();
      this.#stored = undefined;
    }
  }
}
