import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { IndexCopy, ObjectChanges } from './index-service.ts';
import { idOf, type StoredObject } from './indexed-object.ts';
import { DATABASE } from './remove-stored-index.tsx';

interface Head {
  /** The id of the session that has read the objects. */
  owner: string;
  /** The cursor of the change feed that the objects correspond to; undefined while they are written. */
  cursor: string | undefined;
}

interface Schema extends DBSchema {
  objects: { key: string; value: StoredObject };
  head: { key: 'head'; value: Head };
}

/** Objects of one transaction, so that a large inventory is never cloned at once. */
const CHUNK = 2000;

/**
 * A copy of the index in the browser's database, which a reload of the page continues from. It belongs to one session:
 * another session does not read it, and after another session has replaced it, writes have no effect.
 */
export class StoredObjects implements IndexCopy {
  #database: IDBPDatabase<Schema> | undefined;
  readonly #owner: string;

  private constructor(database: IDBPDatabase<Schema>, owner: string) {
    this.#database = database;
    this.#owner = owner;
  }

  /** @returns undefined if the browser refuses the database, as private windows of some browsers do. */
  static async open(owner: string): Promise<StoredObjects | undefined> {
    try {
      const opened: { stored: StoredObjects | undefined } = { stored: undefined };
      const database = await openDB<Schema>(DATABASE, 1, {
        upgrade: (created) => {
          created.createObjectStore('objects');
          created.createObjectStore('head');
        },
        // Another tab removes the database, for example after a log-out.
        blocking: () => opened.stored?.close(),
        terminated: () => opened.stored?.close(),
      });
      opened.stored = new StoredObjects(database, owner);
      return opened.stored;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  async read(): Promise<{ cursor: string; objects: readonly StoredObject[] } | undefined> {
    const transaction = this.#database?.transaction(['head', 'objects']);
    if (transaction === undefined) return undefined;
    const head = await transaction.objectStore('head').get('head');
    if (head?.owner !== this.#owner || head.cursor === undefined) return undefined;
    return { cursor: head.cursor, objects: await transaction.objectStore('objects').getAll() };
  }

  // The cursor is last: without it nothing is read.
  async replace(objects: readonly StoredObject[], cursor: string): Promise<void> {
    const emptied = this.#database?.transaction(['head', 'objects'], 'readwrite');
    if (emptied === undefined) return;
    const started = emptied.objectStore('head').put({ owner: this.#owner, cursor: undefined }, 'head');
    await Promise.all([started, emptied.objectStore('objects').clear(), emptied.done]);
    for (let from = 0; from < objects.length; from += CHUNK)
      await this.#put(new Map(objects.slice(from, from + CHUNK).map((stored) => [idOf(stored), stored])), undefined);
    await this.#put(new Map(), cursor);
  }

  async write(changes: ObjectChanges, cursor: string): Promise<void> {
    await this.#put(changes, cursor);
  }

  async #put(changes: ObjectChanges, cursor: string | undefined): Promise<void> {
    const transaction = this.#database?.transaction(['head', 'objects'], 'readwrite');
    if (transaction === undefined) return;
    const heads = transaction.objectStore('head');
    const objects = transaction.objectStore('objects');
    const head = await heads.get('head');
    if (head?.owner !== this.#owner) {
      this.close();
      return;
    }
    const writes = [...changes].map(([id, stored]) =>
      stored === undefined ? objects.delete(id) : objects.put(stored, id),
    );
    await Promise.all([...writes, heads.put({ owner: this.#owner, cursor }, 'head'), transaction.done]);
  }
}
