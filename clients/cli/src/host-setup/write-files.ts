import { createHash } from 'node:crypto';
import { chmodSync, chownSync, fchmodSync, fchownSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../typescript/src/replace-file.ts';
import { CommandError } from '../core/exit-codes.ts';
import { isFields } from '../core/values.ts';
import { CONFIG, type HostFile, type HostFolder } from './host-files.ts';

export interface Owner {
  uid: number;
  gid: number;
}

/** Where files are written, and as whose. */
export interface WriteTarget {
  /** The root folder of the host. */
  root: string;
  /** The user of pmm-agent; undefined: owners stay, because only root can set them. */
  agent: Owner | undefined;
}

/**
 * `written`: did not exist; `changed`: had another content, mode or owner; `kept`: a template that exists, or whose file exists;
 * `unreadable`: another user than root cannot tell.
 */
export type Action = 'written' | 'changed' | 'unchanged' | 'kept' | 'refused' | 'unreadable';

export interface FileChange {
  file: HostFile;
  action: Action;
}

const ROOT: Owner = { uid: 0, gid: 0 };

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The text of a file; undefined without one. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The digests of the files that this command wrote, as it wrote them. */
const RECORD = `${CONFIG}/host-setup.json`;

function recordIn(root: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(join(root, RECORD)) ?? '{}');
    return isFields(value) ? value : {};
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw error;
    // Without a record, every file is one of somebody else.
    return {};
  }
}

const ownerOf = ({ isOfAgent }: Pick<HostFile, 'isOfAgent'>, { agent }: WriteTarget) =>
  agent === undefined || isOfAgent !== true ? agent && ROOT : agent;

/** Whether a path has the mode and, if it is to be set, the owner. */
function hasRights(path: string, entry: HostFile | HostFolder, target: WriteTarget): boolean {
  const { mode, uid, gid } = lstatSync(path);
  const owner = ownerOf(entry, target);
  return (mode & 0o777) === entry.mode && (owner === undefined || (owner.uid === uid && owner.gid === gid));
}

function actionFor(file: HostFile, target: WriteTarget, isForced: boolean): Action {
  const path = join(target.root, file.path);
  try {
    const text = textOf(path);
    if (file.isTemplate === true && (text ?? textOf(path.replace(/\.template$/, ''))) !== undefined) return 'kept';
    if (text === undefined) return 'written';
    if (text === file.content) return hasRights(path, file, target) ? 'unchanged' : 'changed';
    return isForced || recordIn(target.root)[file.path] === digestOf(text) ? 'changed' : 'refused';
  } catch (error) {
    if (codeOf(error) === 'EACCES') return 'unreadable';
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** Compares the files with those of the host, and changes nothing. */
export function compareFiles(files: readonly HostFile[], target: WriteTarget, isForced: boolean): FileChange[] {
  return files.map((file) => ({ file, action: actionFor(file, target, isForced) }));
}

function makeFolder(folder: HostFolder, target: WriteTarget): void {
  const path = join(target.root, folder.path);
  mkdirSync(path, { recursive: true });
  if (hasRights(path, folder, target)) return;
  const owner = ownerOf(folder, target);
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
  chmodSync(path, folder.mode);
}

function writeFile(file: HostFile, target: WriteTarget): void {
  const path = join(target.root, file.path);
  // Readable for all, whatever the umask: programs of other users read below them.
  const first = mkdirSync(dirname(path), { recursive: true });
  if (first !== undefined)
    for (let folder = dirname(path); folder.startsWith(first); folder = dirname(folder)) chmodSync(folder, 0o755);
  const owner = ownerOf(file, target);
  replaceFile(path, file.content, file.mode, (open) => {
    if (owner !== undefined) fchownSync(open, owner.uid, owner.gid);
    fchmodSync(open, file.mode);
  });
}

/** Writes what was compared. @throws CommandError if the system refuses it; the same call again finishes it. */
export function writeFiles(changes: readonly FileChange[], folders: readonly HostFolder[], target: WriteTarget): void {
  const record = recordIn(target.root);
  const written = changes.filter(({ action }) => action === 'written' || action === 'changed');
  const owned = changes.filter(({ action }) => action !== 'kept').map(({ file }) => file);
  const content = `${JSON.stringify(
    { ...record, ...Object.fromEntries(owned.map((file) => [file.path, digestOf(file.content)])) },
    undefined,
    2,
  )}\n`;
  const recordFile: HostFile = { path: RECORD, content, mode: 0o600 };
  try {
    for (const folder of folders) makeFolder(folder, target);
    for (const { file } of written) writeFile(file, target);
    // Last: a run that did not reach its end has changed files whose text the next run finds equal.
    if (textOf(join(target.root, RECORD)) !== content) writeFile(recordFile, target);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${why}. Run the command as root, or with --root DIR.`);
  }
}
