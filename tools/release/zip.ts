import { zipSync, type Zippable } from 'fflate';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly isExecutable?: boolean;
}

/** The first day that the format knows, in local time, which it has. */
const DAY = new Date(1980, 0, 1);
/** Entries of Unix have modes. */
const UNIX = 3;

/** An archive whose bytes depend on the names and contents alone: sorted, all of one time. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const files: Zippable = {};
  for (const { name, content, isExecutable } of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1)))
    files[name] = [content, { attrs: ((isExecutable === true ? 0o100755 : 0o100644) << 16) >>> 0 }];
  return zipSync(files, { level: 9, mtime: DAY, os: UNIX });
}
