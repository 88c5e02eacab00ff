import * as z from 'zod/mini';
import { fieldNames } from '../../../shared/core/field-names.ts';
import { text } from '../../../shared/core/text.ts';
import { shownName } from '../../../shared/core/violations.ts';
import { MAX_SELECTOR, MAX_VALUES, parseSelector, SelectorError } from '../../../shared/selector/parse-selector.ts';
import { states } from './liveness.ts';
import { asStoredIds, idSchema, storedName } from './common-fields.ts';
import { standardLabels } from './filterable-labels.ts';
import type { ObjectKind } from './object-kind.ts';
import { fieldsOf, type TypedUnion } from './typed-union.ts';

/** A whole number in a query string. */
const wholeNumber = (min: number, max: number) =>
  z.transform((value, { issues }) => {
    const number = typeof value === 'string' && /^-?[0-9]{1,9}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    const message = `Must be a whole number from ${min} to ${max}.`;
    issues.push({ code: 'custom', input: value, message, params: { reason: 'out_of_range' } });
    return z.NEVER;
  });

const booleanWord = z.transform((value) => (value === 'true' ? true : value === 'false' ? false : value));

const flag = (description: string) => z.pipe(booleanWord, z.boolean().check(z.meta({ description })));

export const queryFlag = (description: string) => z._default(flag(description), false);

export function numberUpTo(min: number, max: number, description: string) {
  return z.pipe(wholeNumber(min, max), z.int().check(z.minimum(min), z.maximum(max), z.meta({ description })));
}

const MAX_PAGE_SIZE = 1000;

/** The paging parameters of every list. */
export const pageShape = {
  page_size: z._default(numberUpTo(1, MAX_PAGE_SIZE, 'Maximum number of objects in the reply.'), 100),
  page_token: z.optional(
    text({ max: 4096 }).check(z.meta({ description: 'The next_page_token of the previous page of the same list.' })),
  ),
};

export const namePrefix = z.optional(storedName.check(z.meta({ description: 'Only names with this prefix.' })));

/** A label selector. It stays text: the store parses it again. */
export const selectorText = z.string().check(
  z.check(({ value, issues }) => {
    try {
      parseSelector(value);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      issues.push({
        code: 'custom',
        input: value,
        message: error.message,
        params: { reason: 'invalid_selector' },
      });
    }
  }),
);

export function selectorParameter(description: string) {
  return z.optional(selectorText.check(z.meta({ minLength: 1, maxLength: MAX_SELECTOR, description })));
}

function fieldsText(schema: TypedUnion) {
  return text({ max: 2000 }).check(
    z.check(({ value, issues }) => {
      const fields = fieldsOf(schema);
      for (const name of new Set(fieldNames(value))) {
        if (fields.has(name)) continue;
        const message = `No such field: "${shownName(name)}".`;
        issues.push({ code: 'custom', input: value, message, params: { reason: 'unknown_field' } });
      }
    }),
  );
}

export const codes = (words: Iterable<string>) => Array.from(words, (word) => `\`${word}\``).join(', ');

const isOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): text is Word =>
    words.some((word) => word === text);

/** Words of an enumeration, separated by commas. The value stays text: the store parses it again. */
export function wordList(words: readonly string[], description: string) {
  const wordPattern = `(${words.join('|')})`;
  return z.string().check(
    z.check(({ value, issues }) => {
      if (fieldNames(value).every(isOneOf(words))) return;
      const message = `Must be one of: ${words.join(', ')}; or several, separated by commas.`;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_value' } });
    }),
    z.meta({
      pattern: `^ *${wordPattern}( *, *${wordPattern})* *$`,
      description: `${description}, separated by commas.`,
    }),
  );
}

/** As long as the ids can be, each with a comma and a space. */
const MAX_ID_LIST = 38 * MAX_VALUES;

/** One id, or several, separated by commas. The value stays text: the store parses it again. */
export function idList(description: string) {
  return z.string().check(
    z.check(({ value, issues }) => {
      const ids = fieldNames(value);
      if (
        value.length <= MAX_ID_LIST &&
        ids.length <= MAX_VALUES &&
        ids.every((id) => z.safeParse(idSchema, id).success)
      )
        return;
      const message = `Must be an id, or up to ${MAX_VALUES} ids, separated by commas.`;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_value' } });
    }),
    asStoredIds(),
    z.meta({
      minLength: 1,
      maxLength: MAX_ID_LIST,
      description: `${description} With up to ${MAX_VALUES} ids, separated by commas: with one of these.`,
    }),
  );
}

/** The words that the pattern of a `wordList` allows; none for another pattern. */
export function wordsOfPattern(pattern: unknown): string[] {
  return /^\^ \*\(([a-z_|]+)\)\( \*,/.exec(String(pattern))?.[1]?.split('|') ?? [];
}

/** The words of a list; undefined for no list. */
export function wordsIn<Word extends string>(
  words: readonly Word[],
  list: string | undefined,
): ReadonlySet<Word> | undefined {
  return list === undefined ? undefined : new Set(fieldNames(list).filter(isOneOf(words)));
}

/** The values that a list of inventory objects can return in addition to the stored fields. */
const inclusions = ['state'] as const;

function inclusionText(kind: ObjectKind): string {
  const asked = (filters: string) =>
    `absent, unless the list is filtered by ${filters}, or \`fields\` names one of them`;
  if (kind !== 'agent')
    return `\`state\`: show \`state\` and \`reported_at\`. Without it they are ${asked('`state`')}.`;
  return (
    '`state`: show `state`, `reported_at` and the reported `connected`, `status`, `status_since`, `status_reason`, `listen_port`, `version`. Without ' +
    `it these are ${asked('`state`, `status`, `status_for` or `version`')}; an agent without an agent process always shows those of them that it has.`
  );
}

/** The query parameters of every list of inventory objects. */
export function selectionShape(kind: ObjectKind, schema: TypedUnion) {
  return {
    selector: selectorParameter(
      'A selector in the syntax of Kubernetes: `env=prod,tier in (gold,silver),!legacy`. Matches custom labels and ' +
        'these attributes, which hide custom labels of the same name: ' +
        `${codes(standardLabels[kind].keys())}.`,
    ),
    state: z.optional(wordList(states, 'Only objects in one of these states')),
    updated_since: z.optional(
      z.iso
        .datetime({ offset: true })
        .check(z.meta({ description: 'Only objects added or changed at or after this time (RFC 3339).' })),
    ),
    include: z.optional(z.enum(inclusions).check(z.meta({ description: inclusionText(kind) }))),
    fields: z.optional(
      fieldsText(schema).check(
        z.meta({
          description:
            'Only the id and these fields of each object: names, separated by commas. Other fields are absent, even ' +
            'those that the schema of the reply requires.',
        }),
      ),
    ),
    total: z.optional(flag('Also the total.')),
  };
}

/** At most one of these filters is permitted. */
export function atMostOneOf(...names: readonly string[]) {
  return z.check<object>(({ value, issues }) => {
    const given = names.filter((name) => Object.hasOwn(value, name));
    if (given.length <= 1) return;
    const message = `expected at most one param: ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
    for (const name of given)
      issues.push({ code: 'custom', input: value, path: [name], message, params: { reason: 'not_allowed' } });
  });
}
