import type { WireType } from '../declarations/field.ts';
import { fieldCodecs } from './field-codecs.ts';

const read = (type: WireType, value: unknown) => fieldCodecs[type].read({ a: value }, 'a');

const refusal = (type: WireType, value: unknown) => {
  try {
    read(type, value);
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

const zeros: [type: WireType, values: unknown[]][] = [
  ['string', ['', null]],
  ['bool', [false, 'false', null]],
  ['int32', [0, '0', null]],
  ['uint32', [0, '0', null]],
  ['int64', [0, '0', -1, '-5', null]],
  ['duration', ['', '0s', '0.0s', '-0s', '00.000s', null]],
  ['strings', [[], null, { values: [] }, {}]],
  ['labels', [{}, null]],
  ['map', [{}, null]],
  ['node_id', ['', '/node_id/', null]],
  ['log_level', ['LOG_LEVEL_UNSPECIFIED', 'LOG_LEVEL_LOUD', 0, null]],
];

test.each(zeros)('%s: zero is read as absent', (type, values) => {
  for (const value of [...values, undefined]) expect([value, read(type, value)]).toEqual([value, undefined]);
});

const values: [type: WireType, sent: unknown, wanted: unknown][] = [
  ['string', ' x ', ' x '],
  ['bool', 'True', true],
  ['int32', '-7', -7],
  ['uint32', 7, 7],
  ['int64', '1073741824', 1073741824],
  ['duration', '1.5s', '1.5s'],
  ['duration', '10s', '10s'],
  ['duration', '0.5s', '0.5s'],
  ['strings', ['x'], ['x']],
  ['strings', { values: ['x'] }, ['x']],
  ['labels', { a: 'x', b: ' \t', c: ' y ' }, { a: 'x', b: '', c: ' y ' }],
  ['map', { a: ' ' }, { a: ' ' }],
  ['service_id', '/service_id/x', 'x'],
  ['log_level', 'LOG_LEVEL_WARN', 'warn'],
  ['log_level', 'warn', 'warn'],
  ['log_level', 5, 'debug'],
  ['resolutions', { hr: '5s', mr: '0s' }, { hr: '5s', mr: null }],
  ['resolutions', {}, {}],
  ['rta_options', { collect_interval: '2s', hr: '1s' }, { collect_interval: '2s' }],
  ['rta_options', { collectInterval: '2s' }, { collect_interval: '2s' }],
];

test.each(values)('%s: %j is read as our value', (type, sent, wanted) => expect(read(type, sent)).toEqual(wanted));

test('a negative number is refused for unsigned types', () => {
  expect(refusal('uint32', -1)).toBe('invalid value for uint32 field a');
  expect(refusal('uint32', '-1')).toBe('invalid value for uint32 field a');
  expect(refusal('int32', -1)).toBeUndefined();
});

const written: [type: WireType, value: unknown, wanted: unknown][] = [
  ['string', undefined, ''],
  ['bool', undefined, false],
  ['bool', true, true],
  ['int32', undefined, 0],
  ['int32', -1, -1],
  ['int64', undefined, '0'],
  ['int64', 7, '7'],
  ['strings', undefined, []],
  ['labels', undefined, {}],
  ['map', undefined, {}],
  ['duration', undefined, null],
  ['duration', '10s', '10s'],
  ['duration', '5.000s', '5s'],
  ['duration', '1.5s', '1.500s'],
  ['duration', '0.0001s', '0.000100s'],
  ['duration', '0.1234567s', '0.123456700s'],
  ['duration', '10.120s', '10.120s'],
  ['resolutions', undefined, null],
  ['resolutions', {}, null],
  ['resolutions', { hr: '5s' }, { hr: '5s', mr: null, lr: null }],
  ['rta_options', { collect_interval: '2.5s' }, { collect_interval: '2.500s' }],
];

test.each(written)("%s: %j is written in PMM's form, with zero values", (type, value, wanted) => {
  for (const generation of [2, 3] as const) expect(fieldCodecs[type].write(value, generation)).toEqual(wanted);
});

test('ids and enumerations are written in the form of the generation', () => {
  const both = (type: WireType, value: unknown) => [
    fieldCodecs[type].write(value, 2),
    fieldCodecs[type].write(value, 3),
  ];
  for (const type of ['node_id', 'service_id', 'agent_id'] as const)
    expect(both(type, 'x')).toEqual([`/${type}/x`, 'x']);
  for (const none of ['', undefined, 7]) expect(both('node_id', none)).toEqual(['', '']);
  expect(both('log_level', 'warn')).toEqual(['warn', 'LOG_LEVEL_WARN']);
  expect(both('node_type', 'generic')).toEqual(['GENERIC_NODE', 'NODE_TYPE_GENERIC_NODE']);
  expect(both('agent_status', undefined)).toEqual(['AGENT_STATUS_INVALID', 'AGENT_STATUS_UNSPECIFIED']);
});
