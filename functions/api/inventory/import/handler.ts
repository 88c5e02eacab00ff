import type * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../../shared/core/errors.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { idOfLine, type ImportLine, type ObjectLine } from '../../../domain/bulk/inventory-line.ts';
import { createEndpointFunction } from '../../../runtime/endpoint-function.ts';
import type { Dependencies } from '../../../runtime/dependencies.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { importObject, placeOf } from '../../../store/inventory/entities.ts';
import { findObjects } from '../../../store/entities/get.ts';
import { atPresent, type WriteContext, writeContextOf } from '../../../store/entities/write-context.ts';
import { idOf, type Entity, toEntity } from '../../../store/entities/entity.ts';
import { conflictKeysOf } from '../../../store/entities/derived-items.ts';
import { runInOrder } from '../../../bulk/scheduler.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { endpoint, type resultSchema } from './endpoint.ts';
import type { LineWithObject } from '../../../bulk/import/import-line.ts';
import { type Refusal, dryRun } from '../../../bulk/import/dry-run.ts';
import { addedByImport, changedByImport, completed, parentOf } from '../../../bulk/import/merge-line.ts';

type Result = z.input<typeof resultSchema>;
type ImportEffect = 'added' | 'changed' | 'unchanged';
type Outcome = ImportEffect | ApiError | Refusal;

const nameOf = (kind: ObjectKind, id: string) => `${kind} ${id}`;

/** The stored objects of the lines and their pmm_agents: one round of batch reads. */
async function read(dependencies: Dependencies, lines: readonly ObjectLine[]): Promise<Entity[]> {
  const wanted = lines.flatMap((line) => {
    const parentId = parentOf(line);
    const object = { kind: line.kind, id: idOfLine(line) };
    return parentId === undefined ? [object] : [object, { kind: 'agent' as const, id: parentId }];
  });
  const distinct = new Map(wanted.map((object) => [nameOf(object.kind, object.id), object]));
  return findObjects(dependencies.table, [...distinct.values()]);
}

async function imported(
  { table }: Dependencies,
  { line, seen }: LineWithObject,
  ofRequest: WriteContext,
): Promise<ImportEffect> {
  const writeContext = atPresent(ofRequest);
  const { now } = writeContext;
  return importObject(
    table,
    { kind: line.kind, id: idOfLine(line), seen, writeContext },
    {
      make: async () => addedByImport(line, await placeOf(table, line.object), now),
      next: (old) => changedByImport(old, line, now),
    },
  );
}

function conflictKeysOfLine({ line, seen }: LineWithObject, now: Date): string[] {
  const next = toEntity(line.kind, completed(line, {}, now));
  const parentId = parentOf(line);
  return [
    idOfLine(line),
    ...(parentId === undefined ? [] : [parentId]),
    ...conflictKeysOf(next),
    ...conflictKeysOf(seen),
  ];
}

/** The error with the number of the line in its fields. */
function ofLine(index: number, { kind, message, headers, details }: ApiError): ApiError {
  const named = details.map((detail) => ({ ...detail, field: `${index}.object.${detail.field}` }));
  return new ApiError(kind, message, { headers, details: named });
}

function resultOf({ line, index }: IndexedLine, outcome: Outcome, requestId: string): Result {
  const about = { kind: line.kind, id: idOfLine(line) };
  if (typeof outcome === 'string') return { ...about, outcome };
  const { error, missing } = outcome instanceof ApiError ? { error: outcome, missing: [] } : outcome;
  const isTransient = error.kind === 'unavailable' || error.kind === 'internal';
  return {
    ...about,
    outcome: isTransient ? 'not_done' : 'refused',
    error: errorOf(ofLine(index, error), requestId),
    ...(missing.length === 0 ? {} : { missing }),
  };
}

/** How far the clock of the exporting server may be ahead, in milliseconds. */
const MAX_AHEAD_MS = 300_000;

/** @throws ApiError `invalidArgument` with each time in the future: later changes could not get a later time. */
function checkTimes(lines: readonly ImportLine[], now: Date): void {
  const wrong = lines.flatMap((line, index) =>
    line.kind === 'end'
      ? []
      : (['created_at', 'updated_at'] as const).flatMap((name) => {
          const time = line.object[name];
          if (time === undefined || Date.parse(time) <= now.getTime() + MAX_AHEAD_MS) return [];
          const message = 'Must not be more than 5 minutes in the future.';
          return [{ field: `${index}.object.${name}`, reason: 'out_of_range', message }];
        }),
  );
  if (wrong.length > 0) throw invalidRequest(wrong);
}

interface IndexedLine {
  line: ObjectLine;
  /** Among all lines, counted from 0. */
  index: number;
}

const objectLines = (lines: readonly ImportLine[]): IndexedLine[] =>
  lines.flatMap((line, index) => (line.kind === 'end' ? [] : [{ line, index }]));

export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => {
  const { query, body, requestId } = request;
  const writeContext = writeContextOf(request, dependencies);
  const part = partsOf({ endpointId: endpoint.id, requestId }, dependencies);
  const { now } = writeContext;
  checkTimes(body, now);
  const numbered = objectLines(body);
  const lines = numbered.map(({ line }) => line);
  const stored = await read(dependencies, lines);
  const byName = new Map(stored.map((entity) => [nameOf(entity.kind, idOf(entity)), entity]));
  const planned = lines.map((line) => ({ line, seen: byName.get(nameOf(line.kind, idOfLine(line))) }));
  const outcomes: Outcome[] = query.dry_run
    ? await dryRun(dependencies.table, planned, stored, now)
    : await runInOrder(
        planned.map((plannedLine) => ({
          conflictKeys: conflictKeysOfLine(plannedLine, now),
          run: () => part(() => imported(dependencies, plannedLine, writeContext)),
        })),
        AT_ONCE,
      );
  throwIfAllUnavailable(outcomes);
  const results = outcomes.flatMap((outcome, index) => {
    const numberedLine = numbered[index];
    return numberedLine === undefined ? [] : [resultOf(numberedLine, outcome, requestId)];
  });
  const count = (name: Result['outcome']) => results.filter(({ outcome }) => outcome === name).length;
  return {
    body: {
      dry_run: query.dry_run,
      added: count('added'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      refused: count('refused'),
      not_done: count('not_done'),
      results,
    },
  };
});
