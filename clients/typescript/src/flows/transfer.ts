import { MAX_BULK_BYTES, MAX_IMPORT_OBJECTS } from '../generated/limits.ts';
import { exportInventory, importInventory } from '../generated/operations.ts';
import type { ExportLine, ImportLine, ImportResult } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';
import { pieces } from './pieces.ts';

/**
 * All objects as lines of an import, each after those that it refers to. Throws if the export is incomplete.
 *
 * @param page the `next_page_token` of a page of `pages()`, after which an interrupted export continues.
 */
export function exportAll(client: Client, options?: CallOptions, page?: string) {
  return exportInventory(client, { page_size: MAX_IMPORT_OBJECTS, page_token: page }, options);
}

const successes = ['added', 'changed', 'unchanged'] as const;

/** How often lines are sent for which a request had no time. */
const MAX_ROUNDS = 10;

export interface ImportOptions extends CallOptions {
  /** Report the results without any change. */
  dryRun?: boolean | undefined;
  /** Receives the results of each request, and the index of their line, from 0, without the ends of pages. */
  onResult?: ((result: ImportResult, index: number) => void) | undefined;
  /** Called after the results of each request with the number of lines that have one. */
  onProgress?: ((done: number) => void) | undefined;
}

export interface ImportTotals {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
}

type Line = ImportLine | ExportLine;

async function* withoutEnds(lines: Iterable<Line> | AsyncIterable<Line>): AsyncGenerator<Line> {
  for await (const line of lines) if (line.kind !== 'end') yield line;
}

/** Sends lines until each has a result. */
async function importPiece(
  client: Client,
  piece: Line[],
  { dryRun = false, ...options }: ImportOptions,
): Promise<ImportResult[]> {
  const results = new Map<Line, ImportResult>();
  let rest: readonly Line[] = piece;
  for (let round = 0; rest.length > 0 && round < MAX_ROUNDS; round += 1) {
    const reply = await importInventory(client, { lines: rest, dry_run: dryRun }, options);
    rest.forEach((line, index) => {
      const result = reply.results[index];
      if (result !== undefined) results.set(line, result);
    });
    rest = rest.filter((line) => results.get(line)?.outcome === 'not_done');
  }
  return piece.flatMap((line) => results.get(line) ?? []);
}

/**
 * Imports any number of lines, in their order. Interrupted, it is finished by importing the same lines again.
 *
 * A dry run of several requests knows the lines before: an object that requires only such objects counts as added.
 */
export async function importLines(
  client: Client,
  lines: Iterable<Line> | AsyncIterable<Line>,
  options: ImportOptions = {},
): Promise<ImportTotals> {
  const totals: ImportTotals = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const accepted = new Set<string>();
  let index = 0;
  for await (const piece of pieces(withoutEnds(lines), MAX_IMPORT_OBJECTS, MAX_BULK_BYTES)) {
    for (const result of await importPiece(client, piece, options)) {
      const { missing = [] } = result;
      const isLater = missing.length > 0 && missing.every(({ kind, id }) => accepted.has(`${kind} ${id}`));
      const outcome = isLater ? 'added' : result.outcome;
      const success = successes.find((candidate) => candidate === outcome);
      if (success !== undefined) {
        totals[success] += 1;
        accepted.add(`${result.kind} ${result.id}`);
      } else totals.refused += 1;
      options.onResult?.(isLater ? { ...result, outcome } : result, index);
      index += 1;
    }
    options.onProgress?.(index);
  }
  return totals;
}
