import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/core/errors.ts';
import { newAgent, type AgentPlace, serverFields, statusAfterChange } from '../../domain/agent/lifecycle.ts';
import { additions } from '../../domain/bulk/additions.ts';
import type { ObjectLine } from '../../domain/bulk/inventory-line.ts';
import { stateFields } from '../../domain/fields/liveness.ts';
import { checkNewValues } from '../../domain/fields/stored-values.ts';
import { newRecord } from '../../domain/fields/record.ts';
import { nouns, type Entity } from '../../store/entities/entity.ts';

/** Fields that never change in an existing object. */
const fixed = {
  node: ['node_type', 'node_name'],
  service: ['service_type', 'service_name'],
  agent: ['agent_type', 'runs_on_node_id', 'pmm_agent_id'],
} as const;

const placeSchema = z.object({ pmm_agent_id: z.optional(z.string()), runs_on_node_id: z.optional(z.string()) });

/** The id of the pmm_agent of the object of a line. */
export function parentOf(line: ObjectLine): string | undefined {
  return z.parse(placeSchema, line.object).pmm_agent_id;
}

/** The object of a line with the default values of missing fields, without the fields that only reads return. */
export function completed(line: ObjectLine, place: AgentPlace, now: Date): Item {
  const whole = complete(line, place, now);
  // The reported state of a moment is not stored.
  const reported: readonly string[] = [
    ...stateFields,
    ...(line.kind === 'agent' ? ['version', 'status_since', 'status_reason'] : []),
  ];
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !reported.includes(name)));
}

function complete(line: ObjectLine, place: AgentPlace, now: Date): Item {
  const record = newRecord(now);
  if (line.kind !== 'agent') return { ...record, ...line.object };
  const { insights, ...given } = line.object;
  const added = newAgent({ ...given, insights: insights ?? { node_ids: [], service_ids: [] } }, place);
  // The targets that are implied by the type apply only if the line contains no targets.
  return { ...record, ...added, ...given, ...(insights === undefined ? {} : { insights }) };
}

/**
 * The object that a line adds.
 *
 * @param place of its pmm_agent, if it has one.
 * @throws ApiError `failedPrecondition` for an agent with another node than its pmm_agent; `invalidArgument` for a value
 *   that is valid only in an object which already has it.
 */
export function addedByImport(line: ObjectLine, place: AgentPlace, now: Date): Item {
  checkNewValues(additions[line.kind], line.object);
  const { pmm_agent_id: parentId, runs_on_node_id: said } = z.parse(placeSchema, line.object);
  if (parentId !== undefined && said !== undefined && said !== place.runs_on_node_id)
    throw new ApiError('failedPrecondition', 'An agent must run on the same node as its pmm_agent.');
  return completed(line, place, now);
}

/**
 * The new state of an existing object: the fields of the line, except those that only the server sets.
 *
 * @throws ApiError `failedPrecondition` when the line changes a field that never changes; `invalidArgument` as for an
 *   added object, except for the values that the object has.
 */
export function changedByImport(old: Entity, line: ObjectLine, now: Date): Item {
  const { runs_on_node_id: nodeId } = z.parse(placeSchema, old.object);
  // A line may omit the node of an agent under a pmm_agent; it stays the same.
  const place = parentOf(line) === undefined || nodeId === undefined ? {} : { runs_on_node_id: nodeId };
  const imported = completed(line, place, now);
  const before: Item = old.object;
  for (const field of fixed[old.kind])
    if (!isDeepStrictEqual(before[field], imported[field]))
      throw new ApiError(
        'failedPrecondition',
        `${nouns[old.kind]} already exists with another ${field}, which cannot change.`,
      );
  checkNewValues(additions[old.kind], line.object, before);
  const kept = Object.entries(before).filter(([name]) => serverFields.includes(name));
  const given = Object.entries(imported).filter(([name]) => !serverFields.includes(name));
  const wanted = Object.fromEntries([...kept, ...given]);
  return old.kind === 'agent' ? statusAfterChange(wanted) : wanted;
}
