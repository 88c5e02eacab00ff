import { randomUUID } from 'node:crypto';
import { firstObject, nameOfKind, objectsIn, onlyObject } from './object-words.ts';

const words = (text: string) => text.split(' ').filter(Boolean);
const usage = expect.objectContaining({ exit: 'usage' });
const id = randomUUID();

test.each([
  ['node/db-1', 'node', 'db-1'],
  ['node db-1', 'node', 'db-1'],
  ['nodes db-1', 'node', 'db-1'],
  ['node node/db-1', 'node', 'db-1'],
  ['services/a/b', 'service', 'a/b'],
  ['service a/b', 'service', 'a/b'],
  ['service node/x', 'service', 'node/x'],
  [`agent/${id}`, 'agent', id],
  [`agent ${id}`, 'agent', id],
  ['agent mysqld_exporter', 'agent', 'mysqld_exporter'],
  ['agent mysqld_exporter of orders on db-1', 'agent', 'mysqld_exporter of orders on db-1'],
  ['agent mysqld_exporter on db-1 of orders', 'agent', 'mysqld_exporter on db-1 of orders'],
  ['agent/mysqld_exporter of orders', 'agent', 'mysqld_exporter of orders'],
] as const)('%s is one object', (text, kind, name) => {
  expect(onlyObject(words(text))).toEqual({ kind, name });
  expect(objectsIn(words(text))).toEqual([{ kind, name }]);
});

test("an agent's title can be one quoted word", () => {
  for (const argv of [['agent', 'x of a b on c'], ['agent/x of a b on c']])
    expect(onlyObject(argv)).toEqual({ kind: 'agent', name: 'x of a b on c' });
});

test.each(['', 'db-1', '/db-1', 'node', 'node/', 'cluster/x', 'constructor/x', 'clusters x'])(
  '"%s" is no object, and the error has the forms of one',
  (text) => {
    expect(() => onlyObject(words(text))).toThrow(usage);
    expect(() => objectsIn(words(text))).toThrow(/node\/db-1, node db-1 or agent mysqld_exporter of orders on db-1/);
  },
);

test('several objects have their kinds, or the kind that precedes them', () => {
  const [first, two] = [
    { kind: 'node', name: 'a' },
    { kind: 'node', name: 'b' },
  ];
  expect(objectsIn(words('node/a node/b'))).toEqual([first, two]);
  expect(objectsIn(words('node a b'))).toEqual([first, two]);
  expect(objectsIn(words('nodes node/a node/b'))).toEqual([first, two]);
  expect(objectsIn(words('node/a service/b'))).toEqual([first, { kind: 'service', name: 'b' }]);
  expect(objectsIn(words(`agent x of a y on b ${id}`)).map(({ name }) => name)).toEqual(['x of a', 'y on b', id]);
  expect(() => objectsIn(words('node/a b'))).toThrow(usage);
});

test('one object refuses following words, and the first one leaves them', () => {
  expect(() => onlyObject(words('node a b'))).toThrow(usage);
  expect(firstObject(words('node a az=b label.of-'))).toEqual([{ kind: 'node', name: 'a' }, ['az=b', 'label.of-']]);
  expect(firstObject(words('node/a az=b'))).toEqual([{ kind: 'node', name: 'a' }, ['az=b']]);
  const [agent, changes] = firstObject(words('agent x of a on b disabled=true'));
  expect([agent.name, changes]).toEqual(['x of a on b', ['disabled=true']]);
  // An id is complete.
  expect(firstObject(['agent', id, 'of', 'a'])).toEqual([{ kind: 'agent', name: id }, ['of', 'a']]);
});

test('a name can be preceded by its own kind only', () => {
  expect([nameOfKind('node', 'node/a'), nameOfKind('node', 'nodes/a'), nameOfKind('node', 'a')]).toEqual([
    'a',
    'a',
    'a',
  ]);
  expect([nameOfKind('node', 'service/a'), nameOfKind('node', 'node/')]).toEqual(['service/a', 'node/']);
});
