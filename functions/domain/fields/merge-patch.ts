import * as z from 'zod/mini';
import { invalidRequest } from '../../../shared/http/errors.ts';
import { violations } from '../../../shared/http/violations.ts';

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON Merge Patch, RFC 7396: absent keeps, null takes away, objects merge by name, anything else replaces. */
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
 * An object in place of which another one is declared: what a client can set is what is declared and nothing else, what the
 * server keeps stays.
 *
 * @param kept fields that are no part of an add: set by the server, or derived.
 */
export function replaced(object: Fields, declared: Fields, kept: readonly string[]): Fields {
  return { ...Object.fromEntries(Object.entries(object).filter(([name]) => kept.includes(name))), ...declared };
}

/**
 * An object with a change applied. The result is checked as if it were added anew, so a change can lead nowhere that
 * an add could not.
 *
 * @param addition what an add of such an object takes.
 * @param kept fields that are no part of an add: set by the server, or derived.
 * @throws ApiError `invalidArgument` naming each field that is wrong for an object of this type.
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
