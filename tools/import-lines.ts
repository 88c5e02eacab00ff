import * as z from 'zod/mini';
import { MAX_BULK_BYTES } from '../functions/domain/bulk/limits.ts';
import { MAX_IMPORT_LINES } from '../functions/domain/bulk/inventory-line.ts';
import type { Client } from './inventory-client.ts';

/** How often the lines that a request had no time for are sent again. */
const MAX_ROUNDS = 10;

const resultSchema = z.object({
  kind: z.string(),
  id: z.string(),
  outcome: z.string(),
  error: z.optional(
    z.object({
      message: z.string(),
      details: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
    }),
  ),
  missing: z.optional(z.array(z.object({ kind: z.string(), id: z.string() }))),
});

type Result = z.output<typeof resultSchema>;

const replySchema = z.object({ results: z.array(resultSchema) });

const lineSchema = z.looseObject({ kind: z.string() });

/** A line that did not do, with its number in the file, counted from 1. */
export interface Failure {
  line: number;
  text: string;
  kind: string;
  id: string;
  message: string;
}

export interface ImportResult {
  totals: Record<'added' | 'changed' | 'unchanged' | 'refused', number>;
  failures: Failure[];
}

/** The message of an error with each wrong field. */
function messageOf(error: Result['error']): string | undefined {
  if (error === undefined) return undefined;
  // The number of the line is that of the request; the file has its own.
  const fields = (error.details ?? []).map(
    ({ field, message }) => `${field.replace(/^\d+\.object\./, '')}: ${message}`,
  );
  return fields.length === 0 ? error.message : fields.join(' ');
}

interface Line {
  number: number;
  text: string;
}

function objectLines(text: string): Line[] {
  return text.split('\n').flatMap((line, index): Line[] => {
    if (line.trim() === '') return [];
    const number = index + 1;
    try {
      return z.parse(lineSchema, JSON.parse(line)).kind === 'end' ? [] : [{ number, text: line.trim() }];
    } catch (error) {
      throw new Error(`Line ${number} is not a line of an inventory.`, { cause: error });
    }
  });
}

/** As many lines at once as the server takes. */
function piecesOf(lines: readonly Line[]): Line[][] {
  const pieces: Line[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const own = Buffer.byteLength(line.text) + 1;
    const last = pieces.at(-1);
    if (last === undefined || bytes + own > MAX_BULK_BYTES || last.length === MAX_IMPORT_LINES - 1) {
      pieces.push([line]);
      bytes = own;
    } else {
      last.push(line);
      bytes += own;
    }
  }
  return pieces;
}

/** Imports a file of any length, piece by piece. Cut off, it is finished by importing the file once more. */
export async function importLines(
  client: Client,
  file: string,
  { dryRun }: { dryRun: boolean },
): Promise<ImportResult> {
  const imported: ImportResult = { totals: { added: 0, changed: 0, unchanged: 0, refused: 0 }, failures: [] };
  // Of earlier pieces: a rehearsal of one piece knows nothing of those before it.
  const before = new Set<string>();
  const note = ({ kind, id, outcome, error, missing = [] }: Result, { number, text }: Line) => {
    const isLater = missing.length > 0 && missing.every((one) => before.has(`${one.kind} ${one.id}`));
    const known = isLater ? 'added' : outcome;
    before.add(`${kind} ${id}`);
    if (known === 'added' || known === 'changed' || known === 'unchanged') {
      imported.totals[known] += 1;
      return;
    }
    before.delete(`${kind} ${id}`);
    imported.totals.refused += 1;
    imported.failures.push({ line: number, text, kind, id, message: messageOf(error) ?? outcome });
  };
  for (const piece of piecesOf(objectLines(file))) {
    let rest = piece;
    for (let round = 1; rest.length > 0; round += 1) {
      const body = rest.map((line) => `${line.text}\n`).join('');
      const { results } = z.parse(
        replySchema,
        JSON.parse(await client.request('POST', `/v1/import?dry_run=${String(dryRun)}`, body)),
      );
      const again: Line[] = [];
      for (const [index, line] of rest.entries()) {
        const result = results[index];
        if (result === undefined) throw new Error('The reply of the server refers to other lines than were sent.');
        if (result.outcome === 'not_done' && round < MAX_ROUNDS) again.push(line);
        else note(result, line);
      }
      rest = again;
    }
  }
  return imported;
}
