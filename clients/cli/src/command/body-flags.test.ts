import { bodyOfOptions, bodyOptions, checkOptions, setAt, sharedOptions, valueOfText } from './body-flags.ts';
import { Options } from '../core/options.ts';

const usage = expect.objectContaining({ exit: 'usage' });
const field = (type: Parameters<typeof valueOfText>[0]['type']) => ({ path: 'x', type, description: '' });

test('an option is named for its field, without the kind, and says what it takes', () => {
  const flags = bodyOptions('service', ['service_name']).map((option) => option.flags);
  expect(flags).toEqual(expect.arrayContaining(['--type <text>', '--node-ids <a,b>', '--port <number>']));
  expect(flags).not.toContain('--name <text>');
  expect(bodyOptions('service', []).map((option) => option.flags)).toContain('--name <text>');
  const ofAgent = bodyOptions('agent', []);
  expect(ofAgent.map((option) => option.flags)).toEqual(
    expect.arrayContaining(['--insights-node-ids <a,b>', '--disabled [boolean]', '--pmm-agent-id <text>']),
  );
  expect(ofAgent.find((option) => option.flags.startsWith('--type'))?.words).toContain('mysqld_exporter');
});

test('a field has one option in help, and its API name as an alias', () => {
  const ofNode = bodyOptions('node', ['node_name']);
  expect(ofNode.filter(({ flags }) => flags.includes('model'))).toMatchObject([
    { flags: '--model <text>' },
    { flags: '--node-model <text>', isHidden: true },
  ]);
  expect(bodyOfOptions('node', new Options({ nodeModel: 'm5' }))).toEqual({ node_model: 'm5' });
  expect(() => bodyOfOptions('node', new Options({ nodeModel: 'm5', model: 'm5' }))).toThrow(usage);
});

test('a text becomes a value of the type of its field', () => {
  expect([valueOfText(field('number'), '3306'), valueOfText(field('number'), '1.5')]).toEqual([3306, 1.5]);
  expect([valueOfText(field('flag'), 'true'), valueOfText(field('flag'), 'false')]).toEqual([true, false]);
  expect([valueOfText(field('list'), 'a,b'), valueOfText(field('list'), '')]).toEqual([['a', 'b'], []]);
  expect([valueOfText(field('text'), '7'), valueOfText(field('text'), '')]).toEqual(['7', '']);
});

test.each([
  ['number', 'x'],
  ['number', ''],
  ['number', ' '],
  ['flag', 'yes'],
  ['flag', ''],
] as const)('%s: %j is refused', (type, text) => expect(() => valueOfText(field(type), text)).toThrow(usage));

test('a field inside an object is set beside the others', () => {
  const body = { a: 1, inner: { b: 2 }, text: 'x' };
  setAt(body, 'inner.c.d', 3);
  setAt(body, 'text.e', 4);
  setAt(body, 'a', 5);
  expect(body).toEqual({ a: 5, inner: { b: 2, c: { d: 3 } }, text: { e: 4 } });
});

test('a body has the fields of the options that are given, and the labels', () => {
  const options = new Options({
    ...{ type: 'mysqld_exporter', disabled: true, insightsServiceIds: 'a,b', listenPort: '42000' },
    label: ['team=dba', 'note=a=b'],
  });
  expect(bodyOfOptions('agent', options)).toEqual({
    ...{ agent_type: 'mysqld_exporter', disabled: true, insights: { service_ids: ['a', 'b'] }, listen_port: 42_000 },
    custom_labels: { team: 'dba', note: 'a=b' },
  });
  expect(bodyOfOptions('agent', new Options({ disabled: 'false' }))).toEqual({ disabled: false });
  expect(bodyOfOptions('node', new Options({}))).toEqual({});
  expect(() => bodyOfOptions('node', new Options({ label: ['team'] }))).toThrow(usage);
});

test('a change can remove labels by options, and an add cannot', () => {
  const options = new Options({ label: ['team=dba', 'old-', 'odd-=1', 'a=b-'] });
  const expected = { team: 'dba', old: null, 'odd-': '1', a: 'b-' };
  expect(bodyOfOptions('node', options, true)).toEqual({ custom_labels: expected });
  expect(() => bodyOfOptions('node', options)).toThrow(usage);
});

describe('options for fields of all kinds', () => {
  const kinds = ['node', 'service', 'agent'] as const;

  test('are those of each kind, once, and no flag has two types of values', () => {
    const flags = sharedOptions(kinds).map((option) => option.flags);
    for (const kind of kinds)
      expect(flags).toEqual(expect.arrayContaining(bodyOptions(kind, []).map((option) => option.flags)));
    expect(new Set(flags.map((flagText) => flagText.split(' ')[0])).size).toBe(flags.length);
  });

  test('a field of another kind is refused', () => {
    checkOptions('service', kinds, new Options({ port: '3306', address: 'a', serviceType: 'mysql' }));
    expect(() => checkOptions('node', kinds, new Options({ port: '3306' }))).toThrow(
      'No field of a node: --port. There are: address, ',
    );
    expect(() => checkOptions('node', kinds, new Options({ disabled: true }))).toThrow(usage);
  });
});
