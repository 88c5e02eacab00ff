import { flagIn, given, idIn, mapIn, memberIn, messageIn, numberIn, overlaid, textIn, textsIn } from './input.ts';

const refusal = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test('a field has its name or its camel case name, and null is absent', () => {
  expect(given({ node_id: 'a' }, 'node_id')).toBe('a');
  expect(given({ nodeId: 'a' }, 'node_id')).toBe('a');
  expect(given({ node_id: null }, 'node_id')).toBeUndefined();
  expect(given({ nodeId: null }, 'node_id')).toBeUndefined();
  expect(given({ NodeId: 'a' }, 'node_id')).toBeUndefined();
  for (const zero of ['', 0, false]) expect(given({ node_id: zero }, 'node_id')).toBe(zero);
  // Only the fields of the message, not those of its prototype.
  expect(given({}, 'constructor')).toBeUndefined();
});

test('a field under both names is refused, also with equal values or null, and the error names the later one', () => {
  for (const value of ['a', 'b', null]) {
    expect(refusal(() => given({ node_id: 'a', nodeId: value }, 'node_id'))).toBe('duplicate field "nodeId"');
    expect(refusal(() => given({ nodeId: value, x: 1, node_id: 'a' }, 'node_id'))).toBe('duplicate field "node_id"');
  }
  expect(given({ address: 'a' }, 'address')).toBe('a');
});

test('a message has at most one member of a oneof, not counting null and unknown members', () => {
  const member = (input: object) => memberIn({ ...input }, ['generic', 'remote_rds'], 'inventory.Node');
  expect([member({ generic: {} }), member({ remoteRds: {} }), member({ remote_rds: {}, generic: null })]).toEqual([
    ...['generic', 'remote_rds', 'remote_rds'],
  ]);
  expect([member({}), member({ generic: null }), member({ other: {} })]).toEqual([undefined, undefined, undefined]);
  expect(refusal(() => member({ generic: {}, remote_rds: {} }))).toBe(
    'error parsing "remote_rds", oneof inventory.Node is already set',
  );
  expect(refusal(() => member({ remoteRds: {}, generic: {} }))).toBe(
    'error parsing "generic", oneof inventory.Node is already set',
  );
  expect(refusal(() => member({ remote_rds: {}, remoteRds: {} }))).toBe('duplicate field "remoteRds"');
});

test('new values replace a field under either name', () => {
  const message = { nodeId: 'a', port: 1, custom_labels: {} };
  expect(overlaid(message, { node_id: 'b', customLabels: null })).toEqual({
    node_id: 'b',
    port: 1,
    customLabels: null,
  });
  expect(overlaid(message, {})).toEqual(message);
});

test('text, flags and numbers are read from bodies and queries, with zero values', () => {
  expect([textIn({ a: 'x' }, 'a'), textIn({}, 'a')]).toEqual(['x', '']);
  for (const text of ['1', 't', 'T', 'true', 'TRUE', 'True', true]) expect(flagIn({ a: text }, 'a')).toBe(true);
  for (const text of ['', '0', 'f', 'F', 'false', 'FALSE', 'False', false, null])
    expect(flagIn({ a: text }, 'a')).toBe(false);
  expect([numberIn({ a: 7 }, 'a'), numberIn({ a: '-7' }, 'a'), numberIn({}, 'a')]).toEqual([7, -7, 0]);
  expect(numberIn({ a: String(Number.MAX_SAFE_INTEGER) }, 'a')).toBe(Number.MAX_SAFE_INTEGER);
  expect(textsIn({ a: ['x', 'y'] }, 'a')).toEqual(['x', 'y']);
  expect([textsIn({}, 'a'), mapIn({}, 'a'), messageIn({}, 'a')]).toEqual([[], undefined, undefined]);
  expect(mapIn({ a: { x: 'y' } }, 'a')).toEqual({ x: 'y' });
});

test('a value of another type is refused, with the type and the field', () => {
  const wrong: [read: (input: { a: unknown }, name: string) => unknown, type: string, values: unknown[]][] = [
    [textIn, 'string', [7, true, {}, []]],
    [flagIn, 'bool', ['yes', 1, {}]],
    [numberIn, 'integer', ['', '1.5', '+1', '1e3', 1.5, 2 ** 53, '99999999999999999', true, {}]],
    [messageIn, 'message', ['x', 7, []]],
    [textsIn, 'repeated string', ['x', {}, [7], ['x', null]]],
    [mapIn, 'map', [{ x: 7 }, { x: null }]],
  ];
  for (const [read, type, values] of wrong)
    for (const value of values)
      expect([value, refusal(() => read({ a: value }, 'a'))]).toEqual([value, `invalid value for ${type} field a`]);
  expect(refusal(() => mapIn({ a: [] }, 'a'))).toBe('invalid value for message field a');
});

test("an id loses generation 2's prefix once", () => {
  for (const kind of ['node', 'service', 'agent']) expect(idIn({ id: `/${kind}_id/x` }, 'id')).toBe('x');
  for (const id of ['x', '/other_id/x', 'node_id/x', 'x/node_id/y']) expect(idIn({ id }, 'id')).toBe(id);
  expect(idIn({ id: '/node_id//node_id/x' }, 'id')).toBe('/node_id/x');
});
