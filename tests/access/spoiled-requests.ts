import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../functions/contract/endpoint.ts';
import type { Random } from '../consistency/random.ts';
import { queryOf } from './documented-operations.ts';
import type { Draft } from './scene.ts';
import { oddValues } from './schema-values.ts';

/** A copy of a JSON value with another value in one place. */
function withOddPlace(random: Random, value: any): any {
  if (typeof value !== 'object' || value === null) return random.pick(oddValues);
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.1))
    return { ...value, [random.pick(['odd', 'id', '__proto__x'])]: random.pick(oddValues) };
  const name = random.pick(names);
  const changed = random.chance(0.4)
    ? random.pick(oddValues)
    : random.chance(0.2)
      ? undefined
      : withOddPlace(random, value[name]);
  return Array.isArray(value)
    ? value.map((item: unknown, index) => (String(index) === name ? changed : item))
    : { ...value, [name]: changed };
}

const oddTexts = oddValues.filter(
  (value) => typeof value === 'string' && value !== '' && value.isWellFormed(),
) as string[];

const spoils: readonly ((random: Random, draft: Draft, endpoint: Endpoint) => Draft)[] = [
  (random, draft) => (draft.body === undefined ? draft : { ...draft, body: withOddPlace(random, draft.body) }),
  (random, draft) => (draft.body === undefined ? draft : { ...draft, body: withOddPlace(random, draft.body) }),
  (random, draft) =>
    draft.body === undefined
      ? draft
      : { ...draft, body: random.pick(['', '{', '[]', 'null', '"x"', '{"a":1,"a":2}', '\ufeff{}']) },
  (random, draft) => {
    const [name] = Object.keys(draft.params ?? {});
    const odd = random.pick([...oddTexts.filter((text) => text.length < 1000), randomUUID(), 'x', '0', 'ü/ä%2F']);
    return name === undefined ? draft : { ...draft, params: { ...draft.params, [name]: odd } };
  },
  (random, draft, { id }) => {
    const name = random.pick([...queryOf(id).map((parameter) => parameter.name), 'unknown']);
    return { ...draft, query: { ...draft.query, [name]: random.pick(oddTexts) } };
  },
  (random, draft) => {
    const [name, values] = random.pick<[string, string[]]>([
      ['If-Match', ['"1"', '"999999"', 'x', '*, "1"']],
      ['If-None-Match', ['*', '"1"', 'W/"x"']],
      ['Idempotency-Key', ['k', 'x'.repeat(300), 'ü']],
      ['Content-Type', ['text/plain', '', 'application/json; charset=latin1']],
    ]);
    return { ...draft, headers: { ...draft.headers, [name]: random.pick(values) } };
  },
];

/** The request with something wrong in it, which may still be permitted. */
export const spoiled = (random: Random, draft: Draft, endpoint: Endpoint): Draft =>
  random.pick(spoils)(random, draft, endpoint);
