/** The problem with a folder, by the code of the file system error. */
const folderReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'it is a file, or below one',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  ENAMETOOLONG: 'the path is too long',
};

/**
 * A failure that the person who starts the server can resolve. The message is one line with the remedy. Nothing else is
 * shown, not even the stack, so it must name every file, variable or process concerned.
 */
export class StartFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/\s+/g, ' ').trim(), options);
    this.name = 'StartFailure';
  }

  /** The data folder cannot be created, read or written. `cause` is the error of the file system. */
  static dataFolder(folder: string, cause: unknown): StartFailure {
    const code = errorCode(cause);
    const reason = folderReasons[code] ?? (cause instanceof Error ? cause.message : code);
    const remedy =
      code === 'ENOSPC' ? 'Free space on its disk.' : 'Set DATA_DIR to a folder that this user can write to.';
    return new StartFailure(`Cannot use the data folder ${folder}: ${reason}. ${remedy}`, { cause });
  }

  /** The database in the data folder cannot be used. */
  static table(folder: string, { message, cause }: Error): StartFailure {
    return new StartFailure(`${message} The data folder is ${folder} (${String(cause)}).`, { cause });
  }
}

/** The code of an error of Node or the operating system (`ENOENT`), or `UNKNOWN`. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'UNKNOWN';
}
