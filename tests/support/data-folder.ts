import { DatabaseSync } from 'node:sqlite';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** The versions that wrote the data folders in tests/data-folders. */
export const recordedVersions = ['8034c549', '8ebed6a4'] as const;

const recorded = (version: string, name: string) =>
  fileURLToPath(new URL(`../data-folders/${version}/${name}`, import.meta.url));

export interface RecordedFolder {
  keys: Record<'admin' | 'viewer' | 'removed' | 'raised' | 'copied', string>;
  /** The reply of `GET /v1/export` before the conversion. */
  exported: string;
}

/** Unpacks the data folder of an earlier version. */
export async function unpackDataFolder(version: string, folder: string): Promise<RecordedFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const packed = await readFile(recorded(version, 'inventory.sqlite.gz'));
  await writeFile(join(folder, 'inventory.sqlite'), gunzipSync(packed), { mode: 0o600 });
  for (const name of ['seal.key', 'format'])
    if (existsSync(recorded(version, name))) await copyFile(recorded(version, name), join(folder, name));
  return {
    keys: JSON.parse(await readFile(recorded(version, 'keys.json'), 'utf8')),
    exported: await readFile(recorded(version, 'export.ndjson'), 'utf8'),
  };
}

/** Replaces an address in all rows of a data folder of format 1, their keys included. */
export function replaceAddress(folder: string, address: string, by: string): void {
  const database = new DatabaseSync(join(folder, 'inventory.sqlite'));
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE name LIKE 'monitoring%' AND type = 'table'")
    .all();
  for (const { name } of tables) {
    const columns = database.prepare(`PRAGMA table_info("${String(name)}")`).all();
    for (const { name: column, type } of columns)
      if (type === 'TEXT')
        database.exec(
          `UPDATE "${String(name)}" SET "${String(column)}" = replace("${String(column)}", '${address}', '${by}')`,
        );
  }
  database.close();
}

/** The objects of an export, in an order of their own. */
export const exportedLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.includes('"kind":"end"'))
    .map((line) => JSON.parse(line))
    .toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
