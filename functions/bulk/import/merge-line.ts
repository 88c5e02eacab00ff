import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Item } from '../../../shared/db/table.ts';
import { ApiError } from '../../../shared/http/errors.ts';
import { newAgent, type Place, statusAfterChange } from '../../domain/agent/lifecycle.ts';
import type { ObjectLine } from '../../domain/bulk/inventory-line.ts';
import { stateShape } from '../../domain/fields/liveness.ts';
import { recordShape } from '../../domain/fields/common-fields.ts';
import { newRecord } from '../../domain/fields/record.ts';
import { nouns, type Entity } from '../../store/entities/entity.ts';

/** What the server alone knows of an object that is there already: it stays as it is, whatever a file says. */
const ofTheServer = [...Object.keys(recordShape), 'status', 'connected', 'registered'];

/** What an object is for as long as it is there. */
const fixed = {
  node: ['node_type', 'node_name'],
  service: ['service_type', 'service_name'],
  agent: ['agent_type', 'runs_on_node_id', 'pmm_agent_id'],
} as const;

const placeSchema = z.object({ pmm_agent_id: z.optional(z.string()), runs_on_node_id: z.optional(z.string()) });

/** The pmm_agent that the object of a line runs under. */
export function parentOf(line: ObjectLine): string | undefined {
  return z.parse(placeSchema, line.object).pmm_agent_id;
}

/** The object of a line, with all that the line leaves out, and without what only a read tells. */
export function completed(line: ObjectLine, place: Place, now: Date): Item {
  const whole = complete(line, place, now);
  // How it is at a moment is nothing to keep.
  const reported = [...Object.keys(stateShape), ...(line.kind === 'agent' ? ['version'] : [])];
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !reported.includes(name)));
}

function complete(line: ObjectLine, place: Place, now: Date): Item {
  const record = newRecord(now);
  if (line.kind !== 'agent') return { ...record, ...line.object };
  const { insights, ...given } = line.object;
  const added = newAgent({ ...given, insights: insights ?? { node_ids: [], service_ids: [] } }, place);
  // Only who says nothing about targets gets those of the type.
  return { ...record, ...added, ...given, ...(insights === undefined ? {} : { insights }) };
}

/**
 * The object that a line adds.
 *
 * @param place of its pmm_agent, if it has one.
 * @throws ApiError `failedPrecondition` for an agent that would run elsewhere than its pmm_agent.
 */
export function addedByImport(line: ObjectLine, place: Place, now: Date): Item {
  const { pmm_agent_id: parentId, runs_on_node_id: said } = z.parse(placeSchema, line.object);
  if (parentId !== undefined && said !== undefined && said !== place.runs_on_node_id)
    throw new ApiError('failedPrecondition', 'An agent must run on the same node as its pmm_agent.');
  return completed(line, place, now);
}

/**
 * What a line makes of the object that is there: what it says, but for what only the server knows.
 *
 * @throws ApiError `failedPrecondition` when the line has something else in a field that never changes.
 */
export function changedByImport(old: Entity, line: ObjectLine, now: Date): Item {
  const { runs_on_node_id: nodeId } = z.parse(placeSchema, old.object);
  // A line may leave out where an agent runs that has a pmm_agent: it stays there.
  const place = parentOf(line) === undefined || nodeId === undefined ? {} : { runs_on_node_id: nodeId };
  const imported = completed(line, place, now);
  const before: Item = old.object;
  for (const field of fixed[old.kind])
    if (!isDeepStrictEqual(before[field], imported[field]))
      throw new ApiError(
        'failedPrecondition',
        `${nouns[old.kind]} already exists with another ${field}, which cannot change.`,
      );
  const kept = Object.entries(before).filter(([name]) => ofTheServer.includes(name));
  const given = Object.entries(imported).filter(([name]) => !ofTheServer.includes(name));
  const wanted = Object.fromEntries([...kept, ...given]);
  return old.kind === 'agent' ? statusAfterChange(wanted) : wanted;
}
