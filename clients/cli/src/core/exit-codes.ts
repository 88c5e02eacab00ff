import { InventoryError, ServerLacks } from '../../../typescript/src/error.ts';
import { isPassing, isWrongSetting } from '../../../typescript/src/permanent.ts';

/** How a command ends. The only list: documents and pages of help are derived from it. */
export const exits = {
  done: { code: 0, meaning: 'done; `plan`: no differences' },
  failed: { code: 1, meaning: 'an error that is not below' },
  differs: { code: 2, meaning: '`plan` only: there are differences' },
  denied: { code: 3, meaning: 'the key is missing, expired or not permitted' },
  partial: { code: 4, meaning: 'done in part: items were blocked, failed or refused, and each is named' },
  missing: { code: 5, meaning: 'not found' },
  conflict: { code: 6, meaning: 'the name is taken, or the object or plan has changed (409, 412)' },
  unanswered: { code: 7, meaning: 'no answer, a time-out, or a busy server' },
  usage: {
    code: 64,
    meaning:
      'wrong use of the command, a wrong setting (address, key, certificate), or a value that the server refuses (400)',
  },
  interrupted: { code: 130, meaning: 'Ctrl-C' },
  terminated: { code: 143, meaning: 'SIGTERM' },
} as const;

export type Exit = keyof typeof exits;

/** An error of a command, in one line. */
export class CommandError extends Error {
  readonly exit: Exit;

  constructor(message: string, exit: Exit = 'usage') {
    super(message);
    this.exit = exit;
  }
}

/** Errors in files, each with its place in a line of its own. */
export class FileError extends CommandError {}

/** The reason of the signal of a command. */
export class Interruption extends CommandError {}

const byStatus = new Map<number, Exit>([
  [0, 'unanswered'],
  [401, 'denied'],
  [403, 'denied'],
  [404, 'missing'],
  [409, 'conflict'],
  [412, 'conflict'],
]);

export function exitOf(error: unknown): Exit {
  if (error instanceof CommandError) return error.exit;
  if (!(error instanceof InventoryError) || error instanceof ServerLacks) return 'failed';
  if (error.status === 'INVALID_ARGUMENT' || isWrongSetting(error)) return 'usage';
  return isPassing(error.http, true) ? 'unanswered' : (byStatus.get(error.http) ?? 'failed');
}

/** An error as one line for people: the message names each wrong field. */
export function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, ' ');
}

/** The same for programs, as the server sends it. */
export function jsonOf(error: unknown): string {
  const {
    status = exitOf(error).toUpperCase(),
    code = 2,
    details = [],
    requestId,
  }: Partial<InventoryError> = error instanceof InventoryError ? error : {};
  return JSON.stringify({ code, status, message: lineOf(error), details, request_id: requestId });
}
