import type * as z from 'zod/mini';
import { redact } from './redact.ts';
import type { Violation } from './errors.ts';

type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

/** By field name: why a field that exists elsewhere, or is set by the server, is not accepted here. */
export type RefusedFields = Readonly<Record<string, Omit<Violation, 'field'>>>;

/** The longest part of a caller's field name that error texts repeat. */
const MAX_NAME_SHOWN = 80;

export function shownName(name: PropertyKey): string {
  // Redacted before it is shortened: a part of a key would not be recognised.
  return redact(String(name)).slice(0, MAX_NAME_SHOWN);
}

function fieldName(path: Path): string {
  return path.map(shownName).join('.');
}

/** The value at a path; undefined when the path does not exist. */
export function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, part)?.value;
  }
  return value;
}

/** Refused fields of an object inside the body, by its path. */
export type RefusedFieldsByPath = (path: Path, body: unknown) => RefusedFields;

const wordFor: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNKNOWN = 'Unknown field.';

function outOfRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const limit = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  return issue.origin === 'array' ? `Must have ${limit} entries.` : `Must be ${limit}.`;
}

/**
 * The violations of a zod error, in our words. They never repeat values, which may be secrets.
 *
 * @param prefix the path of the parsed value itself, e.g. `['query']`; empty for a body.
 * @param unknown the message for the first name that the schema does not have.
 */
export function violations(
  issues: readonly Issue[],
  input: unknown,
  {
    prefix = [],
    refused = {},
    refusedWithin = () => ({}),
    unknown = UNKNOWN,
  }: { prefix?: Path; refused?: RefusedFields; refusedWithin?: RefusedFieldsByPath; unknown?: string } = {},
): Violation[] {
  return issues.flatMap((issue): Violation[] => {
    const path = [...prefix, ...issue.path];
    const field = fieldName(path);
    switch (issue.code) {
      case 'unrecognized_keys': {
        const reasons = issue.path.length === 0 ? refused : refusedWithin(issue.path, input);
        return issue.keys.map((key, index) => ({
          field: fieldName([...path, key]),
          ...((Object.hasOwn(reasons, key) ? reasons[key] : undefined) ?? {
            reason: 'unknown_field',
            // Once: it may be long, and the names of a request many.
            message: index === 0 ? unknown : UNKNOWN,
          }),
        }));
      }
      case 'invalid_type': {
        if (valueAt(input, issue.path) === undefined) return [{ field, reason: 'required', message: 'Required.' }];
        return [{ field, reason: 'invalid_type', message: `Must be ${wordFor[issue.expected] ?? issue.expected}.` }];
      }
      case 'too_small':
      case 'too_big':
        return [{ field, reason: 'out_of_range', message: outOfRange(issue) }];
      case 'invalid_value':
        return [{ field, reason: 'invalid_value', message: `Must be one of: ${issue.values.map(String).join(', ')}.` }];
      case 'invalid_union': {
        if (!('discriminator' in issue) || issue.discriminator === undefined)
          return [{ field, reason: 'invalid_type', message: 'Matches none of the accepted shapes.' }];
        const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String).join(', ') : '';
        return valueAt(input, issue.path) === undefined
          ? [{ field, reason: 'required', message: `Required: one of ${options}.` }]
          : [{ field, reason: 'invalid_value', message: `Must be one of: ${options}.` }];
      }
      case 'invalid_key':
      case 'invalid_element':
        return violations(issue.issues, undefined, { prefix: path });
      case 'custom': {
        const reason: unknown = issue.params?.['reason'];
        return [{ field, reason: typeof reason === 'string' ? reason : 'invalid_value', message: issue.message }];
      }
      default: {
        const isTime = issue.code === 'invalid_format' && issue.format === 'datetime';
        const message = isTime
          ? 'Must be a time such as 2026-03-02T09:30:00Z (RFC 3339).'
          : 'Does not have the accepted form.';
        return [{ field, reason: 'invalid_format', message }];
      }
    }
  });
}
