import * as z from 'zod/mini';
import { ApiError, invalidRequest } from '../../../shared/core/errors.ts';
import { violations } from '../../../shared/core/violations.ts';
import type { AgentType } from '../../domain/agent/types.ts';
import type { ObjectKind } from '../../domain/fields/object-kind.ts';
import type { NodeType } from '../../domain/node/types.ts';
import type { ServiceType } from '../../domain/service/types.ts';
import { nouns } from '../../store/entities/entity.ts';
import { type WriteContext, writeContextOf } from '../../store/entities/write-context.ts';
import { leastLogLevels } from '../declarations/agents.ts';
import { enumerations, type Generation } from '../declarations/enums.ts';
import type { Field } from '../declarations/field.ts';
import type { TypeDeclaration } from '../declarations/nodes.ts';
import type { WireCall } from '../wire/call.ts';
import { firstViolation } from '../wire/errors.ts';
import { type Fields, memberIn, messageIn } from '../wire/input.ts';
import { checkRequired, decodeAddition } from '../wire/message.ts';
import { declarationOf } from './objects.ts';

/** After the title of a type in names of messages. */
const suffixes = { node: 'Node', service: 'Service', agent: '' } as const;

interface Types {
  node: NodeType;
  service: ServiceType;
  agent: AgentType;
}

export const contextOf = (call: WireCall): WriteContext => writeContextOf(call, call.dependencies);

/** The name of the message of an add in errors. */
export function subjectOf(kind: ObjectKind, { title, olderTitle = title }: TypeDeclaration, generation: Generation) {
  const [name, suffix] = generation === 3 ? [title, 'Params'] : [olderTitle, 'Request'];
  return `Add${name}${suffixes[kind]}${suffix}`;
}

/** The name of the oneof of a request, with the package of its message. */
export const oneofName = ({ route: { path, method }, generation }: WireCall, noun: string) =>
  // /v1/<package>/...
  `${path.split('/')[2]}${generation === 3 ? '.v1' : ''}.${method === 'PUT' ? 'Change' : 'Add'}${noun}Request.${noun.toLowerCase()}`;

/** The type and the message of an object to add or change: of the type in the path, or of the one member of the body. */
export function oneOf<Kind extends ObjectKind>(
  call: WireCall,
  kind: Kind,
  types: readonly Types[Kind][],
): { type: Types[Kind]; message: Fields } {
  const { route, input } = call;
  const ofPath = types.find((type) => type === route.type);
  if (ofPath !== undefined) return { type: ofPath, message: input };
  const keyOf = (type: string) => (route.method === 'POST' ? declarationOf(kind, type).addKey : undefined) ?? type;
  const key = memberIn(input, types.map(keyOf), oneofName(call, nouns[kind]));
  const type = types.find((candidate) => keyOf(candidate) === key);
  const message = key === undefined ? undefined : messageIn(input, key);
  if (type !== undefined && message !== undefined) return { type, message };
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
  const least = Object.entries(leastLogLevels).find(([agentType]) => agentType === type)?.[1];
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
