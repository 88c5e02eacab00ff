import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { CommandError } from '../core/exit-codes.ts';

/** For a scraper that is another user: targets contain no secret. */
const READABLE = 0o644;

const unusable = (error: unknown) => new CommandError(error instanceof Error ? error.message : String(error));

/** Whether the text of the file has this digest; a missing file has none. @throws CommandError if it cannot be read. */
export function hasDigest(file: string, digest: string | undefined): boolean {
  try {
    return createHash('sha256').update(readFileSync(file, 'utf8')).digest('base64url') === digest;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw unusable(error);
  }
}

/**
 * Replaces the file of targets as a whole: a scraper reads the old or the new list. Its text is that of the reply, so its
 * digest is the one of the server.
 *
 * @throws CommandError if it cannot be written; the old file stays.
 */
export function writeTargets(file: string, targets: readonly object[]): void {
  try {
    replaceFile(file, JSON.stringify(targets), READABLE);
  } catch (error) {
    throw unusable(error);
  }
}
