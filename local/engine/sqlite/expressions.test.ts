import {
  parseCondition,
  parseProjection,
  parseUpdate,
  placeholdersOf,
  project,
  refuseUnordered,
  update,
} from './expressions.ts';

const item = {
  text: 'monitoring',
  number: 5,
  flag: true,
  nothing: null,
  list: ['a', { x: 1 }],
  map: { 'a.b': 1, inner: { deep: 'x' } },
  bytes: Buffer.from('abc'),
  size: 3,
};

function meets(text: string, values: Record<string, unknown> = {}, names: Record<string, string> = {}): boolean {
  return parseCondition(text).test(item, { names, values });
}

test.each([
  ['attribute_exists(number)', true],
  ['attribute_exists(missing)', false],
  ['attribute_not_exists(missing)', true],
  ['ATTRIBUTE_EXISTS(map.inner.deep)', true],
  ['attribute_exists(list[1].x)', true],
  ['attribute_exists(list[2])', false],
  ['attribute_type(flag, :BOOL)', true],
  ['begins_with(text, :moni)', true],
  ['begins_with(text, :Moni)', false],
  ['contains(text, :tor)', true],
  ['contains(list, :a)', true],
  ['contains(list, :b)', false],
  ['size(text) = :10', true],
  ['size(map) < :10', true],
  ['size(bytes) = size', true],
  ['number = :5', true],
  ['number <> :5', false],
  ['missing <> :5', true],
  ['number < :10', true],
  ['number >= :5', true],
  ['text > :10', false],
  ['missing < :5', false],
  ['number BETWEEN :0 AND :5', true],
  ['number BETWEEN :10 AND :5', false],
  ['number IN (:0, :5)', true],
  ['text IN (:a)', false],
  ['NOT number = :0', true],
  ['not (number = :5 OR flag = :5)', false],
  // AND binds more than OR, NOT more than AND.
  ['number = :5 OR number = :0 AND number = :0', true],
  ['(number = :5 OR number = :0) AND number = :0', false],
  ['NOT number = :0 AND number = :5', true],
])('%s: %s', (text, expected) => {
  const words = text.match(/:\w+/g) ?? [];
  const values = Object.fromEntries(
    words.map((word) => [word, /^:\d+$/.test(word) ? Number(word.slice(1)) : word.slice(1)]),
  );
  expect(meets(text, values)).toBe(expected);
});

test('a placeholder stands for one name, also with a dot', () => {
  expect(meets('#m.#ab = :one', { ':one': 1 }, { '#m': 'map', '#ab': 'a.b' })).toBe(true);
});

test('each text is parsed once', () => {
  expect(parseCondition('number = :kept')).toBe(parseCondition('number = :kept'));
});

test.each([
  '',
  'number',
  'number = ',
  'number == :a',
  '(number = :a',
  'number = :a)',
  'a AND',
  'size(a)',
  'unknown(a)',
  'a[x] = :a',
  'number = :a ?',
  'number >= number',
])('the condition %j is refused', (text) => {
  expect(() => parseCondition(text)).toThrow(
    expect.objectContaining({ name: 'ValidationException', message: expect.stringContaining('Invalid expression') }),
  );
});

test('missing and unused names and values are refused', () => {
  expect(() => meets('#n = :v', { ':v': 1 })).toThrow('attribute name: #n');
  expect(() => meets('number = :v')).toThrow('attribute value: :v');
  const condition = parseCondition('#n = :v');
  const all = { ExpressionAttributeNames: { '#n': 'n' }, ExpressionAttributeValues: { ':v': 1 } };
  expect(placeholdersOf(all, undefined, condition)).toEqual({ names: { '#n': 'n' }, values: { ':v': 1 } });
  expect(() => placeholdersOf({ ...all, ExpressionAttributeNames: { '#n': 'n', '#m': 'm' } }, condition)).toThrow(
    '{#m}',
  );
  expect(() => placeholdersOf(all, parseCondition('#n = n'))).toThrow('{:v}');
});

test('a value without an order is refused where an order is needed', () => {
  const of = { names: {}, values: { ':v': true, ':a': 1 } };
  for (const text of ['number < :v', ':v < number', 'number BETWEEN :a AND :v'])
    expect(() => refuseUnordered(parseCondition(text), of)).toThrow('operand type: BOOL');
  expect(() => refuseUnordered(parseCondition('flag = :v'), of)).not.toThrow();
});

function updated(text: string, values: Record<string, unknown> = {}, names: Record<string, string> = {}) {
  const copy = structuredClone(item) as Record<string, unknown>;
  update(copy, parseUpdate(text), { names, values });
  return copy;
}

test('an update sets, adds and removes, with the former values', () => {
  expect(
    updated(
      'SET text = :new, other = text, map.inner.deep = number + :two ADD number :two, fresh :two REMOVE flag, missing',
      {
        ':new': 'new',
        ':two': 2,
      },
    ),
  ).toEqual({
    ...item,
    text: 'new',
    other: 'monitoring',
    number: 7,
    fresh: 2,
    flag: undefined,
    map: { 'a.b': 1, inner: { deep: 7 } },
  });
  expect(
    updated('SET a = if_not_exists(missing, :v) - :one, b = if_not_exists(number, :v)', { ':v': 3, ':one': 1 }),
  ).toMatchObject({ a: 2, b: 5 });
  expect(updated('SET a = if_not_exists(nothing, :v)', { ':v': 1 })).toMatchObject({ a: null });
  expect(updated('SET list[0] = :v, list[9] = :v', { ':v': 'z' })['list']).toEqual(['z', { x: 1 }, 'z']);
});

test.each([
  ['SET a = missing', 'does not exist in the item'],
  ['SET a = text + :v', 'incorrect data type'],
  ['ADD text :v', 'incorrect data type'],
  ['ADD nothing :v', 'incorrect data type'],
  ['SET missing.a = :v', 'document path'],
  ['SET text.a = :v', 'document path'],
  ['SET map.inner = :v, map.inner.deep = :v', 'overlap'],
  ['SET number = :v REMOVE number', 'overlap'],
  ['DELETE list :v', 'Syntax error'],
])('the update %s is refused', (text, message) => {
  expect(() => updated(text, { ':v': 1 })).toThrow(message);
});

test('paths with a common prefix do not overlap', () => {
  expect(
    updated('SET map.inner = :v, map.inn = :v, numbers = :v, #ab = :v', { ':v': 1 }, { '#ab': 'map.inner' }),
  ).toMatchObject({
    map: { inner: 1, inn: 1 },
    numbers: 1,
    'map.inner': 1,
  });
});

test('a projection has the named parts at their places', () => {
  const of = { names: { '#ab': 'a.b' }, values: {} };
  expect(project(item, parseProjection('text, map.inner.deep, map.#ab, missing, missing.part'), of)).toEqual({
    text: 'monitoring',
    map: { inner: { deep: 'x' }, 'a.b': 1 },
  });
  expect(() => project(item, parseProjection('list[0]'), of)).toThrow('not supported');
});

test.each([{}, { ':v': undefined }])('an absent or undefined value (%j) is an error, as in DynamoDB', (values) => {
  expect(() => meets('number = :v', values)).toThrow('attribute value: :v');
});
