import { deleteDB } from 'idb';

/** The name of the browser's database with the copy of the index. */
export const DATABASE = 'inventory-index';

/** Removes the copy of the index from the browser. Open pages release it when the browser asks them to. */
export async function removeStoredIndex(): Promise<void> {
  try {
    await deleteDB(DATABASE);
  } catch {
    // A browser that refuses the database has no copy.
  }
}
