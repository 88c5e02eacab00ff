import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATE_FILE, isMadeHere } from './server/certificate.ts';
import { DATABASE_FILE } from './engine/make-data-folder.ts';
import { startWith } from './process/commands.ts';
import { StartFailure } from './process/failure.ts';
import { FORMAT_FILE } from './engine/folder-format.ts';
import { SEAL_KEY_FILE } from './engine/format-1/convert.ts';

export const NEW_INVENTORY = '--new-inventory';

const RESTORE = 'Restore the data folder from a backup (docs/repairs.md)';

/** The files that a folder gets with its first inventory. */
const inventoryMarks = [FORMAT_FILE, SEAL_KEY_FILE];

type CertificateIn = 'none' | 'ours' | 'theirs';

async function certificateIn(dataDir: string): Promise<CertificateIn> {
  const pem = await readFile(join(dataDir, CERTIFICATE_FILE)).catch(() => undefined);
  if (pem === undefined) return 'none';
  try {
    return isMadeHere(new X509Certificate(pem)) ? 'ours' : 'theirs';
  } catch {
    return 'theirs';
  }
}

/**
 * A data folder gets an empty inventory only if it was not in use before, or if the operator wants one. An unattended
 * start must not replace a lost inventory by an empty one.
 *
 * @param wanted the operator wants an empty inventory.
 * @returns a message when the folder may contain files of an inventory.
 * @throws StartFailure when the folder was in use, or when an empty inventory is wanted and the folder contains one.
 */
export async function beginsAnew(dataDir: string, { wanted }: { wanted: boolean }): Promise<string | undefined> {
  const database = join(dataDir, DATABASE_FILE);
  const hasDatabase = (statSync(database, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasDatabase && wanted)
    throw new StartFailure(
      `${NEW_INVENTORY} requires a data folder without a database, but ${database} exists. Omit the option, or move the file away.`,
    );
  if (hasDatabase || wanted) return undefined;
  const certificate = await certificateIn(dataDir);
  const left = [...inventoryMarks, `${DATABASE_FILE}-wal`].filter((name) => existsSync(join(dataDir, name)));
  if (certificate === 'ours') left.push(CERTIFICATE_FILE);
  if (left.length > 0)
    throw new StartFailure(
      `The data folder ${dataDir} was in use before (${left.join(', ')}), but its database ${DATABASE_FILE} is missing or empty. ${RESTORE}, or create an empty inventory: ${startWith(NEW_INVENTORY)}.`,
    );
  return certificate === 'none'
    ? undefined
    : `The data folder ${dataDir} contains a certificate and no database. The server creates an empty inventory. If a database existed, stop the server. ${RESTORE}.`;
}

/** The message for the operator when the database has no table, although the folder contained an inventory. */
export function lostTable(dataDir: string): string | undefined {
  return inventoryMarks.some((name) => existsSync(join(dataDir, name)))
    ? `${join(dataDir, DATABASE_FILE)} is a database without an inventory, although one existed. ${RESTORE}, or move the file away and create an empty inventory: ${startWith(NEW_INVENTORY)}.`
    : undefined;
}
