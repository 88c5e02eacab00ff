import { isRecord } from '../../../shared/db/item.ts';
import { invalidRequest } from '../../../shared/core/errors.ts';
import type { Generation } from '../declarations/enums.ts';
import type { Field } from '../declarations/field.ts';
import { fieldCodecs } from './field-codecs.ts';
import { type Fields, given, mapIn, messageIn } from './input.ts';

/** The name of a field in error messages of PMM: `node_id` is `NodeId`. */
export const goName = (name: string) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The error of PMM for a field that violates a rule. */
export const invalidField = (subject: string, name: string, rule: string) =>
  invalidRequest([{ field: '', reason: 'invalid_value', message: `invalid ${subject}.${goName(name)}: ${rule}` }]);

const EMPTY = 'value length must be at least 1 runes';

/** The rule of PMM for ports, and the first number above them. */
const PORTS_END = 65_536;
export const PORT_RANGE = `value must be inside range (0, ${PORTS_END})`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The rule of PMM that the value of a required field violates. */
function brokenRule({ type, isUuid }: Field, value: unknown): string | undefined {
  if (type === 'uint32') return value === undefined || Number(value) >= PORTS_END ? PORT_RANGE : undefined;
  if (isUuid === true) return typeof value === 'string' && UUID.test(value) ? undefined : 'value must be a valid UUID';
  return value === undefined ? EMPTY : undefined;
}

/** Checks the required fields of an add, in their order. @param subject the name of the message. */
export function checkRequired(fields: readonly Field[], input: Fields, subject: string): void {
  for (const field of fields) {
    if (field.isRequired !== true || field.add === undefined) continue;
    const rule = brokenRule(field, fieldCodecs[field.type].read(input, field.add));
    if (rule !== undefined) throw invalidField(subject, field.add, rule);
  }
}

/** The text of an id that a request must contain. */
export function requiredText(value: string, subject: string, name: string): string {
  if (value === '') throw invalidField(subject, name, EMPTY);
  return value;
}

/** Sets a field; `insights.service_ids` is a field of a part. */
function set(object: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', part] = path.split('.');
  if (part === undefined) object[name] = value;
  else object[name] = { ...(isRecord(object[name]) ? object[name] : {}), [part]: value };
}

function valueAt(object: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object);
}

/** Our fields in a request that adds an object. Credentials and unknown fields are not read. */
export function decodeAddition(fields: readonly Field[], input: Fields): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { type, add, native, isFirst, isTrimmed } of fields) {
    if (add === undefined) continue;
    // A field that is discarded is not read, but refused under two names like any other.
    const isGiven = given(input, add) !== undefined;
    if (native === undefined || !isGiven) continue;
    const read = fieldCodecs[type].read(input, add);
    const value = isTrimmed === true && typeof read === 'string' ? read.trim() || undefined : read;
    if (value !== undefined) set(object, native, isFirst === true ? [value] : value);
  }
  return object;
}

/** All labels of the object that the new ones do not contain are cleared: PMM replaces them as a whole. */
export function replacedLabels(old: unknown, labels: unknown): Fields {
  const cleared = Object.keys(isRecord(old) ? old : {}).map((name) => [name, null] as const);
  return { ...Object.fromEntries(cleared), ...(isRecord(labels) ? labels : {}) };
}

/** The change of one field that the request contains; undefined when it is none. */
function changeOf(
  { type, isInverse }: Field,
  change: string,
  { input, old }: { input: Fields; old: Fields },
): { value: unknown } | undefined {
  if (type === 'labels') {
    const { values = {} } = { values: mapIn(messageIn(input, change) ?? {}, 'values') };
    return { value: replacedLabels(old['custom_labels'], fieldCodecs.labels.read({ values }, 'values')) };
  }
  const value = fieldCodecs[type].read(input, change);
  // An empty list is no change: programs of PMM send it when the user has given none.
  if (type === 'strings' && value === undefined && Array.isArray(given(input, change))) return undefined;
  if (isInverse === true) return { value: value !== true };
  return { value: value ?? null };
}

/**
 * A merge patch of our object. An absent field is kept, the value zero clears.
 *
 * @param old the object as it is.
 */
export function decodeChange(fields: readonly Field[], input: Fields, old: Fields): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.change === undefined || given(input, field.change) === undefined || field.native === undefined) continue;
    const changed = changeOf(field, field.change, { input, old });
    if (changed !== undefined) set(patch, field.native, changed.value);
  }
  return patch;
}

/** A value that generation 2 leaves out. */
function isZero(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === '0' || value === false)
    return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Fields that are maps: a key whose value is the value zero is a key of the map nevertheless. */
const maps: readonly string[] = ['custom_labels', 'extra_dsn_params'];

/** A message as its generation writes it: 3 with all fields, 2 without values zero. */
export function shown(message: Record<string, unknown>, generation: Generation): Record<string, unknown> {
  if (generation === 3) return message;
  return Object.fromEntries(
    Object.entries(message).flatMap(([name, value]) => {
      const inner = isRecord(value) && !maps.includes(name) ? shown(value, generation) : value;
      return isZero(value) ? [] : [[name, inner]];
    }),
  );
}

function storedIn({ native, isFirst, isNegative }: Field, object: Fields): unknown {
  const stored = native === undefined ? undefined : valueAt(object, native);
  if (isNegative === true) return typeof stored === 'number' && stored < 0;
  return isFirst === true && Array.isArray(stored) ? stored[0] : stored;
}

/** The message of one of our objects, with every field of a reply. */
export function encode(fields: readonly Field[], object: Fields, generation: Generation): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.reply === undefined) continue;
    message[field.reply] = fieldCodecs[field.type].write(storedIn(field, object), generation);
  }
  if (generation === 3) return message;
  const unset = fields.flatMap(({ type, reply }) =>
    reply !== undefined && message[reply] === fieldCodecs[type].write(undefined, generation) ? [reply] : [],
  );
  return shown(Object.fromEntries(Object.entries(message).filter(([name]) => !unset.includes(name))), generation);
}
