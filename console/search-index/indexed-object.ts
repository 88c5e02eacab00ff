import * as z from 'zod/mini';
import type { ObjectKind } from '../../functions/domain/fields/object-kind.ts';
import { objectKinds } from '../../functions/domain/fields/object-kind.ts';
import { targetAttributes } from '../../functions/domain/fields/filterable-labels.ts';

const objectSchema = z.looseObject({ custom_labels: z.record(z.string(), z.string()) });

/** A node, service or agent as the API returns it. Only the fields that all kinds have are known here. */
export type PlainObject = z.output<typeof objectSchema>;

export const storedSchema = z.object({ kind: z.enum(objectKinds), object: objectSchema });

/** An object as an export line and as the browser stores it. */
export type StoredObject = z.output<typeof storedSchema>;

/** An object with the texts that a search and a sort use. */
export interface IndexedObject {
  kind: ObjectKind;
  id: string;
  /** An agent has no name: its type stands for it. */
  name: string;
  /** Values that identify the object, in lower case: name, id and addresses. A match there is better than one in a label. */
  identifiers: readonly string[];
  /** All searchable values in lower case, one per line. */
  text: string;
  object: PlainObject;
}

export function textOf(object: PlainObject, field: string): string | undefined {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function textsOf(object: PlainObject, field: string): readonly string[] {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The address of a service: `10.0.0.1:3306`. */
function endpointOf(object: PlainObject): string | undefined {
  const [address, port] = [textOf(object, 'address'), textOf(object, 'port')];
  if (address === undefined || port === undefined) return address;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** The searchable fields of an object with their values: its name first, then its attributes, address and labels. */
export function searchableValues(kind: ObjectKind, object: PlainObject): readonly (readonly [string, string])[] {
  const attributes = targetAttributes(kind).map(([field]) => [field, textOf(object, field)] as const);
  const address = [
    ['address', endpointOf(object)],
    ['socket', textOf(object, 'socket')],
  ] as const;
  return [...attributes, ...address, ...Object.entries(object.custom_labels)].flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value] as const],
  );
}

export const idOf = ({ kind, object }: StoredObject): string => textOf(object, `${kind}_id`) ?? '';

const nameFields = { node: 'node_name', service: 'service_name', agent: 'agent_type' } as const;

export function indexed(stored: StoredObject): IndexedObject {
  const { kind, object } = stored;
  const name = textOf(object, nameFields[kind]) ?? '';
  const values = searchableValues(kind, object).map(([, value]) => value);
  const identifiers = [name, idOf(stored), textOf(object, 'address'), endpointOf(object), textOf(object, 'socket')];
  return {
    kind,
    id: idOf(stored),
    name,
    identifiers: identifiers.flatMap((text) => (text === undefined ? [] : [text.toLowerCase()])),
    text: values.join('\n').toLowerCase(),
    object,
  };
}

/** Attributes with filters and columns of their own. */
const placeNames: ReadonlySet<string> = new Set(['region', 'az', 'cluster', 'environment']);

const attributesOf = (kind: ObjectKind): readonly string[] =>
  targetAttributes(kind).flatMap(([name, access]) => (access === 'label_index' && !placeNames.has(name) ? [name] : []));

/** The attributes that lists filter, group and show as labels, as selectors read them. */
export const labelAttributes: Readonly<Record<ObjectKind, readonly string[]>> = {
  node: attributesOf('node'),
  service: attributesOf('service'),
  agent: attributesOf('agent'),
};

/** Attributes of which hardly two objects have the same value: nobody chooses one from a list. */
export const identifyingAttributes: ReadonlySet<string> = new Set(['machine_id', 'instance_id', 'container_name']);

/** Whether an agent is disabled, as the value of the filter. */
export const disabledText = (object: object): string => String('disabled' in object && object.disabled === true);
