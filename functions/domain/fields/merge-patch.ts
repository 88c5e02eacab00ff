import * as z from 'zod/mini';
import { invalidRequest } from '../../../shared/core/errors.ts';
import { violations } from '../../../shared/core/violations.ts';

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON Merge Patch, RFC 7396: an absent field is kept, null removes it, objects merge by name, any other value
 * replaces.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/**
 * The object after an upsert: the declaration replaces all fields that clients can set; the fields of the server are
 * kept.
 *
 * @param kept fields that an add does not contain: set by the server, or derived.
 */
export function replaced(object: Fields, declared: Fields, kept: readonly string[]): Fields {
  return { ...Object.fromEntries(Object.entries(object).filter(([name]) => kept.includes(name))), ...declared };
}

/**
 * The object after a change. The result is validated as a new object, so a change cannot lead to a state that an add
 * could not create.
 *
 * @param addition the schema of an add.
 * @param kept fields that an add does not contain: set by the server, or derived.
 * @throws ApiError `invalidArgument` with all violations of the schema of this type.
 */
export function applyChange(
  addition: z.core.$ZodType<Fields>,
  object: Fields,
  change: Fields,
  kept: readonly string[],
): Fields {
  const given = Object.entries(object).filter(([name]) => !kept.includes(name));
  const merged = mergePatch(Object.fromEntries(given), change);
  const parsed = z.safeParse(addition, merged);
  if (!parsed.success) throw invalidRequest(violations(parsed.error.issues, merged));
  return replaced(object, parsed.data, kept);
}
