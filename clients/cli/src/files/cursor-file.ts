import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../../typescript/src/replace-file.ts';

/**
 * How far a follower is: its cursor, and the changes after it that are done. The server gives a cursor for a page of changes only,
 * and can place a late change before others of the page: so each one that is done is named.
 */
export interface CursorFile {
  /** The stored cursor; undefined without one. */
  readonly cursor: string | undefined;
  isDone: (changeId: string) => boolean;
  /** After one change. */
  storeChange: (changeId: string) => void;
  /** After all changes of a page. */
  storePage: (cursor: string, changeIds: readonly string[]) => void;
}

const inMemory: CursorFile = {
  cursor: undefined,
  isDone: () => false,
  storeChange: () => undefined,
  storePage: () => undefined,
};

async function linesOf(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** @param since the cursor of a file that does not exist yet. */
export async function openCursorFile(file: string | undefined, since: string | undefined): Promise<CursorFile> {
  if (file === undefined) return { ...inMemory, cursor: since };
  const [stored, ...ids] = await linesOf(file);
  const done = new Set(ids);
  const cursor = stored ?? since;
  const write = (next: string) => replaceFile(file, [next, ...done].map((text) => `${text}\n`).join(''));
  // The first line is the cursor, before any change is stored.
  if (stored === undefined && cursor !== undefined) write(cursor);
  return {
    cursor,
    isDone: (id) => done.has(id),
    storeChange: (id) => appendFileSync(file, `${id}\n`),
    storePage: (next, changeIds) => {
      // Others are on a later page: pages can be cut at another place after a restart.
      for (const id of changeIds) done.delete(id);
      write(next);
    },
  };
}
