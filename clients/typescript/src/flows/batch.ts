import { MAX_BULK_BYTES, MAX_OPERATIONS } from '../generated/limits.ts';
import { runBatch } from '../generated/operations.ts';
import type { BatchOperation, BatchResult } from '../generated/types.ts';
import type { Client } from '../operation.ts';
import type { CallOptions } from '../options.ts';
import { pieces } from './pieces.ts';

/** For the frame of the request. */
const FRAME_BYTES = 1000;

export interface BatchOptions extends CallOptions {
  /** Receives the results of each request, and the index of its first operation. A later failure does not undo them. */
  onResults?: ((results: readonly BatchResult[], first: number) => void) | undefined;
  /** Called before each request with the index of its first operation and the index after its last one. */
  onRequest?: ((first: number, end: number) => void) | undefined;
  /** The results of the first operations, from an earlier call that was interrupted: these are not sent again. */
  done?: readonly BatchResult[] | undefined;
}

const references = ['id', 'runs_on_node_id', 'pmm_agent_id'];
const lists = ['node_ids', 'service_ids'];

/** Replaces the texts in the fields that refer to objects. */
function replaceIn(fields: object, replace: (text: unknown) => unknown): void {
  for (const [name, value] of Object.entries<unknown>({ ...fields })) {
    if (references.includes(name)) Object.assign(fields, { [name]: replace(value) });
    else if (lists.includes(name) && Array.isArray(value)) Object.assign(fields, { [name]: value.map(replace) });
    else if ((name === 'body' || name === 'insights') && typeof value === 'object' && value !== null)
      replaceIn(value, replace);
  }
}

/** The known fields of the objects of earlier operations, by their labels. */
class Labels {
  private readonly ids = new Map<string, string>();
  private readonly failed = new Set<string>();

  /** A copy with the ids of objects of earlier requests; the label of a failed operation if it refers to one. */
  resolve(operation: BatchOperation): BatchOperation | string {
    const copy = structuredClone(operation);
    let missing: string | undefined;
    replaceIn(copy, (text) => {
      if (typeof text !== 'string' || !text.startsWith('$')) return text;
      const label = text.slice(1);
      if (this.failed.has(label)) missing = label;
      return this.ids.get(label) ?? text;
    });
    return missing ?? copy;
  }

  note(operation: BatchOperation | undefined, { status, id }: BatchResult): void {
    const label = operation !== undefined && 'ref' in operation ? operation.ref : undefined;
    if (label === undefined) return;
    if (status < 300 && id !== undefined) this.ids.set(label, id);
    else this.failed.add(label);
  }
}

/** The result that the server has for an operation that refers to a failed one. */
function notDone(label: string): BatchResult {
  const message = `Not done: the operation with the label "${label}" failed.`;
  const error = { code: 9, status: 'FAILED_PRECONDITION', error: message, message, details: [], request_id: '' };
  return { status: 400, error };
}

/**
 * Runs any number of operations in their order, in as many requests as the limits of the server demand. References by
 * `$` and a label work across requests. The operations of one request are not repeated if its reply is lost: some of
 * them could have a second effect. The error of a request ends the batch; `onResults` tells what was done before.
 *
 * @returns the results in the order of the operations.
 */
export async function batch(
  client: Client,
  operations: readonly BatchOperation[],
  { onResults, onRequest, done = [], ...options }: BatchOptions = {},
): Promise<BatchResult[]> {
  const all = [...done];
  const labels = new Labels();
  done.forEach((result, index) => labels.note(operations[index], result));
  for await (const piece of pieces(operations.slice(done.length), MAX_OPERATIONS, MAX_BULK_BYTES - FRAME_BYTES)) {
    const results = new Map<number, BatchResult>();
    const sent: number[] = [];
    const resolved = piece.flatMap((operation, index) => {
      const resolvedOperation = labels.resolve(operation);
      if (typeof resolvedOperation === 'string') {
        results.set(index, notDone(resolvedOperation));
        labels.note(operation, notDone(resolvedOperation));
        return [];
      }
      sent.push(index);
      return [resolvedOperation];
    });
    onRequest?.(all.length, all.length + piece.length);
    const reply = resolved.length === 0 ? undefined : await runBatch(client, { operations: resolved }, options);
    reply?.results.forEach((result, position) => {
      const index = sent[position] ?? -1;
      results.set(index, result);
      labels.note(piece[index], result);
    });
    const ordered = [...results].sort(([left], [right]) => left - right).map(([, result]) => result);
    onResults?.(ordered, all.length);
    all.push(...ordered);
  }
  return all;
}
