import { invalid, invalidParameter } from './engine-errors.ts';
import type { KeyComparison } from './expression-parser.ts';
import type { ParsedCondition } from './expressions.ts';
import { nameOf, type Placeholders, valueOf } from './paths.ts';
import { compareTexts } from './values.ts';

/** The names of the two attributes of a key. */
export interface KeyNames {
  partition: string;
  sort: string;
}

interface RangeEnd {
  value: string;
  /** Whether the value itself is outside. */
  isOpen: boolean;
}

/** The sort keys of one partition from a first to a last one. */
export interface KeyRange {
  partition: string;
  from?: RangeEnd;
  to?: RangeEnd;
}

const LAST_CODE_POINT = 0x10ffff;

/** The first text after all texts with this prefix, by code points; undefined when there is none. */
function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // No text contains half of a surrogate pair.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

function boundsOf(operator: KeyComparison['operator'], first: string, second: string): Omit<KeyRange, 'partition'> {
  const closed = (value: string) => ({ value, isOpen: false });
  switch (operator) {
    case '=':
      return { from: closed(first), to: closed(first) };
    case 'BETWEEN':
      if (compareTexts(first, second) > 0)
        throw invalid(
          'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
        );
      return { from: closed(first), to: closed(second) };
    case 'begins_with': {
      const after = afterPrefix(first);
      return { from: closed(first), ...(after === undefined ? {} : { to: { value: after, isOpen: true } }) };
    }
    case '>':
    case '>=':
      return { from: { value: first, isOpen: operator === '>' } };
    case '<':
    case '<=':
      return { to: { value: first, isOpen: operator === '<' } };
  }
}

/** The range that a condition of keys means. @throws DynamoDbError for another condition. */
export function keyRangeOf({ ofKeys }: ParsedCondition, key: KeyNames, of: Placeholders): KeyRange {
  if (ofKeys === undefined || ofKeys.length > 2) throw invalid('Invalid KeyConditionExpression');
  let partition: string | undefined;
  let range: Omit<KeyRange, 'partition'> = {};
  for (const { name, operator, values } of ofKeys) {
    const [first = '', second = ''] = values.map((placeholder) => {
      const value = valueOf(placeholder, of);
      if (typeof value === 'string') return value;
      throw invalidParameter('Condition parameter type does not match schema type');
    });
    const attribute = nameOf(name, of);
    if (attribute === key.partition && operator === '=') partition = first;
    else if (attribute === key.sort) range = boundsOf(operator, first, second);
    else throw invalid(`Query condition missed key schema element: ${key.partition}`);
  }
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${key.partition}`);
  return { partition, ...range };
}
