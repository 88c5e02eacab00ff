import * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../shared/http/errors.ts';
import { violations } from '../../../shared/http/violations.ts';
import { type AgentType, agentTypes } from '../../domain/agent/types.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import { type NodeType, nodeTypes } from '../../domain/node/types.ts';
import { type ServiceType, serviceTypes } from '../../domain/service/types.ts';
import { type WriteContext, writeContextOf } from '../../store/entities/write-context.ts';
import { type Entity, idOf, notFound, nouns } from '../../store/entities/entity.ts';
import { agentDeclaration, leastLogLevels } from '../declarations/agents.ts';
import { enumerations, type EnumerationName, type Generation, isMember, valueIn } from '../declarations/enums.ts';
import type { Field } from '../declarations/field.ts';
import { nodeDeclarations, type TypeDeclaration } from '../declarations/nodes.ts';
import { serviceDeclarations } from '../declarations/services.ts';
import type { Call } from '../wire/call.ts';
import { firstViolation } from '../wire/errors.ts';
import { type Fields, given, idIn, messageIn } from '../wire/input.ts';
import { checkRequired, decodeAddition, encode, requiredText } from '../wire/message.ts';

/** After the title of a type in names of messages. */
const suffixes = { node: 'Node', service: 'Service', agent: '' } as const;

interface Types {
  node: NodeType;
  service: ServiceType;
  agent: AgentType;
}

export function declarationOf(kind: ObjectKind, type: string): TypeDeclaration {
  const node = nodeTypes.find((one) => one === type);
  if (kind === 'node' && node !== undefined) return nodeDeclarations[node];
  const service = serviceTypes.find((one) => one === type);
  if (kind === 'service' && service !== undefined) return serviceDeclarations[service];
  const agent = agentTypes.find((one) => one === type);
  if (kind === 'agent' && agent !== undefined) return agentDeclaration(agent);
  throw new Error(`no ${kind} has the type ${type}`);
}

export const contextOf = (call: Call): WriteContext => writeContextOf(call, call.dependencies);

/** The name of the message of an add in errors. */
export function subjectOf(kind: ObjectKind, { title, olderTitle = title }: TypeDeclaration, generation: Generation) {
  const [name, suffix] = generation === 3 ? [title, 'Params'] : [olderTitle, 'Request'];
  return `Add${name}${suffixes[kind]}${suffix}`;
}

/** The type and the message of an object to add: of the type in the path, or of the one member of the body. */
export function oneOf<Kind extends ObjectKind>(
  { route, input }: Call,
  kind: Kind,
  types: readonly Types[Kind][],
): { type: Types[Kind]; message: Fields } {
  for (const type of types) {
    if (route.type === type) return { type, message: input };
    const { addKey = type } = route.method === 'POST' ? declarationOf(kind, type) : {};
    const message = route.type === undefined ? messageIn(input, addKey) : undefined;
    if (message !== undefined) return { type, message };
  }
  const noun = nouns[kind].toLowerCase();
  throw invalidRequest([{ field: '', reason: 'required', message: `unsupported ${noun} type <nil>` }]);
}

/** Our body for a message, after the rules of the schema, which are those of our own endpoint. */
export function bodyOf<Schema extends z.core.$ZodType>(
  schema: Schema,
  object: Record<string, unknown>,
  rules: { fields: readonly Field[]; subject: string; use: 'add' | 'change' },
): z.output<Schema> {
  const parsed = z.safeParse(schema, object);
  if (parsed.success) return parsed.data;
  throw firstViolation(violations(parsed.error.issues, object), rules.fields, rules);
}

const logLevels = [...enumerations.log_level.words.keys()];

/** PMM raises a log level that an agent does not support. */
function withSupportedLevel(type: string, object: Record<string, unknown>): Record<string, unknown> {
  const least = Object.entries(leastLogLevels).find(([one]) => one === type)?.[1];
  const level = object['log_level'];
  if (least === undefined || typeof level !== 'string') return object;
  return logLevels.indexOf(level) < logLevels.indexOf(least) ? { ...object, log_level: least } : object;
}

/** Our body for a message that adds an object, if its required fields have been checked. @param adjusted changes it. */
export function decodedAddition<Schema extends z.core.$ZodType>(
  schema: Schema,
  { kind, type, subject }: { kind: ObjectKind; type: string; subject: string },
  message: Fields,
  adjusted: (object: Record<string, unknown>) => Record<string, unknown> = (object) => object,
): z.output<Schema> {
  const { fields } = declarationOf(kind, type);
  const decoded = withSupportedLevel(type, { [`${kind}_type`]: type, ...decodeAddition(fields, message) });
  const object = adjusted(decoded);
  return bodyOf(schema, object, { fields, subject, use: 'add' });
}

/** Our body for a message that adds an object of a type. */
export function additionOf<Schema extends z.core.$ZodType>(
  ...given: Parameters<typeof decodedAddition<Schema>>
): z.output<Schema> {
  const [, { kind, type, subject }, message] = given;
  checkRequired(declarationOf(kind, type).fields, message, subject);
  return decodedAddition(...given);
}

const typeOf = ({ kind, object }: Entity): string => {
  if (kind === 'node') return object.node_type;
  return kind === 'service' ? object.service_type : object.agent_type;
};

/** An object as a message. @param fields its fields, with those that follow from reports. */
export function messageOf(entity: Entity, fields: Fields, generation: Generation): Record<string, unknown> {
  return encode(declarationOf(entity.kind, typeOf(entity)).fields, fields, generation);
}

export const keyedMessage = (entity: Entity, fields: Fields, generation: Generation) => ({
  [typeOf(entity)]: messageOf(entity, fields, generation),
});

interface Listed {
  entity: Entity;
  fields: Fields;
}

/** The reply of a list: a group for each type; each sorted by id. */
export function grouped(types: readonly string[], listed: readonly Listed[], generation: Generation) {
  const byId = listed.toSorted((left, right) => (idOf(left.entity) < idOf(right.entity) ? -1 : 1));
  const groups = new Map<string, unknown[]>(types.map((type) => [type, []]));
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
export function subjectId({ input }: Call, kind: ObjectKind, verb: string, noun: string = nouns[kind]): string {
  return possibleId(kind, requiredText(idIn(input, names[kind]), `${verb}${noun}Request`, names[kind]));
}

/** An id by which a list is filtered. */
export function filterId({ input }: Call, kind: ObjectKind, name: string): string | undefined {
  const id = possibleId(kind, idIn(input, name));
  return id === '' ? undefined : id;
}

/** The value by which a list is filtered; undefined: no filter. An unknown one is an error in a query only. */
export function filterValue({ route, input }: Call, name: EnumerationName): string | undefined {
  const value = given(input, name);
  if (value === undefined || value === '') return undefined;
  if (route.method === 'GET' && !isMember(enumerations[name], value))
    throw invalidRequest([
      { field: '', reason: 'invalid_value', message: `type mismatch, parameter: ${name}, error: not a valid value` },
    ]);
  return valueIn(enumerations[name], value);
}

/** The object of PMM's own server, which does not exist here and which no call removes. */
const PROTECTED = 'pmm-server';

const protectedTexts: Partial<Record<ObjectKind, string>> = {
  node: "PMM Server node can't be removed.",
  agent: "pmm-agent on PMM Server can't be removed.",
};

export function checkRemovable(kind: ObjectKind, id: string): void {
  const message = id === PROTECTED ? protectedTexts[kind] : undefined;
  if (message !== undefined) throw new ApiError('permissionDenied', message);
}
