import { invalidRequest } from '../../../shared/core/errors.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { nodeTypes } from '../../domain/node/types.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import { type Entity, idOf, notFound, nouns } from '../../store/entities/entity.ts';
import type { Visible } from '../../store/entities/key-scope.ts';
import { agentDeclaration } from '../declarations/agents.ts';
import { enumerations, type EnumerationName, type Generation, isMember, valueIn } from '../declarations/enums.ts';
import { nodeDeclarations, type TypeDeclaration } from '../declarations/nodes.ts';
import { serviceDeclarations } from '../declarations/services.ts';
import type { WireCall } from '../wire/call.ts';
import { type Fields, given, idIn } from '../wire/input.ts';
import { encode, requiredText } from '../wire/message.ts';

/** The type as messages of PMM have it; undefined for a type that a newer version has added. */
function knownDeclaration(kind: ObjectKind, type: string): TypeDeclaration | undefined {
  const node = nodeTypes.find((candidate) => candidate === type);
  if (kind === 'node' && node !== undefined) return nodeDeclarations[node];
  const service = serviceTypes.find((candidate) => candidate === type);
  if (kind === 'service' && service !== undefined) return serviceDeclarations[service];
  const agent = agentTypes.find((candidate) => candidate === type);
  return kind === 'agent' && agent !== undefined ? agentDeclaration(agent) : undefined;
}

export function declarationOf(kind: ObjectKind, type: string): TypeDeclaration {
  const declaration = knownDeclaration(kind, type);
  if (declaration === undefined) throw new Error(`no ${kind} has the type ${type}`);
  return declaration;
}

const typeOf = ({ kind, object }: Entity): string => {
  if (kind === 'node') return object.node_type;
  return kind === 'service' ? object.service_type : object.agent_type;
};

/**
 * An object as a message. @param fields its fields, with those that follow from reports.
 *
 * @throws ApiError `notFound` for a type that a newer version has added: no message of PMM can contain it.
 */
export function messageOf(entity: Visible, fields: Fields, generation: Generation): Record<string, unknown> {
  const declaration = knownDeclaration(entity.kind, typeOf(entity));
  if (declaration === undefined) throw notFound(entity.kind, idOf(entity));
  return encode(declaration.fields, fields, generation);
}

export const keyedMessage = (entity: Visible, fields: Fields, generation: Generation) => ({
  [typeOf(entity)]: messageOf(entity, fields, generation),
});

interface ListEntry {
  entity: Visible;
  fields: Fields;
}

/** The reply of a list: a group for each type; each sorted by id. */
export function grouped(types: readonly string[], listed: readonly ListEntry[], generation: Generation) {
  const byId = listed.toSorted((left, right) => (idOf(left.entity) < idOf(right.entity) ? -1 : 1));
  const groups = new Map<string, unknown[]>(types.map((type) => [type, []]));
  // An object of a type that a newer version has added has no group.
  for (const { entity, fields } of byId) groups.get(typeOf(entity))?.push(messageOf(entity, fields, generation));
  const shown = [...groups].filter(([, group]) => generation === 3 || group.length > 0);
  return Object.fromEntries(shown);
}

const names = { node: 'node_id', service: 'service_id', agent: 'agent_id' } as const;

/** No id is longer; a longer key could not be read. */
const MAX_ID = 36;

/** @throws ApiError `notFound` for an id that no object can have. */
export function possibleId(kind: ObjectKind, id: string): string {
  if (id.length > MAX_ID) throw notFound(kind, id);
  return id;
}

/** The id that a call is about. @param verb for the name of the message in errors: `Get`. @param noun of the object. */
export function subjectId({ input }: WireCall, kind: ObjectKind, verb: string, noun: string = nouns[kind]): string {
  return possibleId(kind, requiredText(idIn(input, names[kind]), `${verb}${noun}Request`, names[kind]));
}

/** An id by which a list is filtered. */
export function filterId({ input }: WireCall, kind: ObjectKind, name: string): string | undefined {
  const id = possibleId(kind, idIn(input, name));
  return id === '' ? undefined : id;
}

/** The value by which a list is filtered; undefined: no filter. An unknown one is an error in a query only. */
export function filterValue({ route, input }: WireCall, name: EnumerationName): string | undefined {
  const value = given(input, name);
  if (value === undefined || value === '') return undefined;
  if (route.method === 'GET' && !isMember(enumerations[name], value))
    throw invalidRequest([
      { field: '', reason: 'invalid_value', message: `type mismatch, parameter: ${name}, error: not a valid value` },
    ]);
  return valueIn(enumerations[name], value);
}
