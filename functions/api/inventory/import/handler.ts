import type * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../../shared/http/errors.ts';
import { AT_ONCE } from '../../../domain/bulk/limits.ts';
import { idOfLine, type ImportLine, type ObjectLine } from '../../../domain/bulk/inventory-line.ts';
import { lambda } from '../../../runtime/endpoint-function.ts';
import type { Services } from '../../../runtime/dependencies.ts';
import type { ObjectKind } from '../../../store/table/keys.ts';
import { importObject, placeOf } from '../../../store/inventory/entities.ts';
import { findObjects } from '../../../store/entities/get.ts';
import { type Origin, originOf } from '../../../store/entities/change-origin.ts';
import { idOf, type Stored, toStored } from '../../../store/entities/entity.ts';
import { claimsOf, linksOf } from '../../../store/entities/links.ts';
import { inOrder } from '../../../bulk/scheduler.ts';
import { errorOf, partsOf, throwIfAllUnavailable } from '../../../bulk/partial-failure.ts';
import { endpoint, type resultSchema } from './endpoint.ts';
import type { Planned } from '../../../bulk/import/import-line.ts';
import { type Refusal, rehearse } from '../../../bulk/import/dry-run.ts';
import { addedByImport, changedByImport, completed, parentOf } from '../../../bulk/import/merge-line.ts';

type Result = z.input<typeof resultSchema>;
type Done = 'added' | 'changed' | 'unchanged';
type Outcome = Done | ApiError | Refusal;

const nameOf = (kind: ObjectKind, id: string) => `${kind} ${id}`;

/** What is there of all objects of the lines and of their pmm_agents: one round of batch reads. */
async function read(services: Services, lines: readonly ObjectLine[]): Promise<Stored[]> {
  const wanted = lines.flatMap((line) => {
    const parentId = parentOf(line);
    const own = { kind: line.kind, id: idOfLine(line) };
    return parentId === undefined ? [own] : [own, { kind: 'agent' as const, id: parentId }];
  });
  const distinct = new Map(wanted.map((one) => [nameOf(one.kind, one.id), one]));
  return findObjects(services.table, [...distinct.values()]);
}

async function imported({ table }: Services, { line, seen }: Planned, origin: Origin): Promise<Done> {
  const now = origin.clock();
  return importObject(
    table,
    { kind: line.kind, id: idOfLine(line), seen, origin },
    {
      make: async () => addedByImport(line, await placeOf(table, line.object), now),
      next: (old) => changedByImport(old, line, now),
    },
  );
}

/** What the outcome of a line depends on, and what depends on it: the objects that it names, and what is unique of its own. */
function touchesOf({ line, seen }: Planned, now: Date): string[] {
  const next = toStored(line.kind, completed(line, {}, now));
  const parentId = parentOf(line);
  return [
    nameOf(line.kind, idOfLine(line)),
    ...(parentId === undefined ? [] : [nameOf('agent', parentId)]),
    ...linksOf(next).flatMap(({ dependency }) =>
      dependency === undefined ? [] : [nameOf(dependency.kind, dependency.id)],
    ),
    ...[...claimsOf(next), ...(seen === undefined ? [] : claimsOf(seen))].map(({ pk }) => pk),
  ];
}

function resultOf(line: ObjectLine, outcome: Outcome, requestId: string): Result {
  const about = { kind: line.kind, id: idOfLine(line) };
  if (typeof outcome === 'string') return { ...about, outcome };
  const { error, missing } = outcome instanceof ApiError ? { error: outcome, missing: [] } : outcome;
  const isTransient = error.kind === 'unavailable' || error.kind === 'internal';
  return {
    ...about,
    outcome: isTransient ? 'not_done' : 'refused',
    error: errorOf(error, requestId),
    ...(missing.length === 0 ? {} : { missing }),
  };
}

/** How far the clock of the server that an export comes from may be ahead, in milliseconds. */
const MAX_AHEAD_MS = 300_000;

/** @throws ApiError `invalidArgument` naming each time that lies in the future: later changes could not come after it. */
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

const isObject = (line: ImportLine): line is ObjectLine => line.kind !== 'end';

export const { handler, handlerWith } = lambda(endpoint, async (request, services) => {
  const { query, body, requestId } = request;
  const origin = originOf(request, services);
  const part = partsOf({ endpointId: endpoint.id, requestId }, services.log);
  const now = services.clock();
  checkTimes(body, now);
  const lines = body.filter(isObject);
  const known = await read(services, lines);
  const byName = new Map(known.map((stored) => [nameOf(stored.kind, idOf(stored)), stored]));
  const planned = lines.map((line) => ({ line, seen: byName.get(nameOf(line.kind, idOfLine(line))) }));
  const outcomes: Outcome[] = query.dry_run
    ? await rehearse(services.table, planned, known, now)
    : await inOrder(
        planned.map((one) => ({
          touches: touchesOf(one, now),
          run: () => part(() => imported(services, one, origin)),
        })),
        AT_ONCE,
      );
  throwIfAllUnavailable(outcomes);
  const results = outcomes.flatMap((outcome, index) => {
    const line = lines[index];
    return line === undefined ? [] : [resultOf(line, outcome, requestId)];
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
