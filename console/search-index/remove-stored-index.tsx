/** The name of the browser's database with the copy of the index. */
export const DATABASE = 'inventory-index';

/**
 * Has the browser remove its copy of the index, as soon as open pages have released it. Without a library: the log-in page
 * calls this before its first paint.
 */
export function removeStoredIndex(): void {
  try {
    indexedDB.deleteDatabase(DATABASE);
  } catch {
    // A browser that refuses the database has no copy.
  }
}
