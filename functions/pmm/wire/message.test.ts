import { agentDeclarations } from '../declarations/agents.ts';
import { credential, discarded, field, inReply, notInChange, required } from '../declarations/field.ts';
import { nodeDeclarations } from '../declarations/nodes.ts';
import { serviceDeclarations } from '../declarations/services.ts';
import {
  checkRequired,
  decodeAddition,
  decodeChange,
  encode,
  goName,
  invalidField,
  replacedLabels,
  requiredText,
  shown,
} from './message.ts';

const fields = [
  inReply('agent_id', 'agent_id', 'agent_id'),
  required(notInChange(field('pmm_agent_id', 'agent_id'))),
  notInChange(field('service_id', 'service_id', { native: 'insights.service_ids', isFirst: true })),
  notInChange(field('node_id', 'node_id', { native: 'insights.node_ids', isFirst: true })),
  field('machine_id', 'string', { isTrimmed: true }),
  field('push_metrics', 'bool', { change: 'enable_push_metrics', reply: 'push_metrics_enabled' }),
  field('limit', 'int32'),
  { ...inReply('is_off', 'bool', 'limit'), isNegative: true as const },
  field('names', 'strings'),
  field('custom_labels', 'labels'),
  { type: 'bool' as const, change: 'enable', native: 'disabled', isInverse: true as const },
  credential('agent_password'),
  discarded('skip_check', 'bool'),
];

const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
};

test('an error contains the Go name, the message and the rule', () => {
  expect(['node_id', 'az', 'tls_ca', 'a_1b'].map(goName)).toEqual(['NodeId', 'Az', 'TlsCa', 'A1b']);
  expect(invalidField('AddX', 'node_id', 'is wrong').message).toBe('invalid AddX.NodeId: is wrong');
  expect(refusal(() => requiredText('', 'GetX', 'node_id'))).toBe(
    'invalid GetX.NodeId: value length must be at least 1 runes',
  );
  expect(requiredText('x', 'GetX', 'node_id')).toBe('x');
});

test('the first required field that breaks its rule is reported', () => {
  const all = [
    required(field('node_name', 'string')),
    field('az', 'string'),
    required(field('listen_port', 'uint32')),
    field('service_id', 'service_id', { isRequired: true, isUuid: true }),
    { type: 'string' as const, change: 'other', isRequired: true as const },
  ];
  const uuid = '00000000-0000-4000-8000-00000000000A';
  const check = (input: object) => refusal(() => checkRequired(all, { ...input }, 'AddX'));
  const range = 'invalid AddX.ListenPort: value must be inside range (0, 65536)';
  expect(check({})).toBe('invalid AddX.NodeName: value length must be at least 1 runes');
  for (const port of [undefined, 0, 65_536, 70_000]) expect(check({ node_name: 'n', listen_port: port })).toBe(range);
  for (const id of [undefined, '', 'x', `${uuid}0`])
    expect(check({ node_name: 'n', listen_port: 65_535, service_id: id })).toBe(
      'invalid AddX.ServiceId: value must be a valid UUID',
    );
  expect(check({ nodeName: 'n', listen_port: 1, service_id: `/service_id/${uuid}` })).toBeUndefined();
});

test('an add contains our fields without zero values, unknown fields and credentials', () => {
  const sent = {
    ...{ pmmAgentId: '/agent_id/p', service_id: 's', node_id: 'n', machine_id: ' m ', push_metrics: true, limit: 0 },
    ...{ names: ['x'], custom_labels: { a: 'b' }, agent_password: 7, skip_check: 'maybe', unknown: 1, agent_id: 'x' },
  };
  expect(decodeAddition(fields, sent)).toEqual({
    ...{ pmm_agent_id: 'p', insights: { service_ids: ['s'], node_ids: ['n'] }, machine_id: 'm', push_metrics: true },
    ...{ names: ['x'], custom_labels: { a: 'b' } },
  });
  expect(decodeAddition(fields, { machine_id: ' \t', enable_push_metrics: true })).toEqual({});
});

test('a message with a field under both names is refused, also for an ignored field', () => {
  for (const sent of [
    { machine_id: 'm', machineId: 'm' },
    { agent_password: 'p', agentPassword: 'p' },
    { skip_check: true, skipCheck: null },
  ]) {
    const later = Object.keys(sent)[1];
    expect(refusal(() => decodeAddition(fields, sent))).toBe(`duplicate field "${later}"`);
    expect(refusal(() => decodeChange(fields, sent, {}))).toBe(`duplicate field "${later}"`);
  }
  expect(decodeAddition(fields, { brand_new: 1, brandNew: 2 })).toEqual({});
});

test('a change keeps absent fields, clears with zero, and replaces all labels', () => {
  const old = { custom_labels: { a: '1', b: '2' } };
  expect(decodeChange(fields, {}, old)).toEqual({});
  expect(decodeChange(fields, { machine_id: null, limit: null }, old)).toEqual({});
  expect(decodeChange(fields, { limit: 0, enable_push_metrics: false, machineId: '' }, old)).toEqual({
    ...{ limit: null, push_metrics: null, machine_id: null },
  });
  expect(decodeChange(fields, { enable: true }, old)).toEqual({ disabled: false });
  expect(decodeChange(fields, { enable: false }, old)).toEqual({ disabled: true });
  expect(decodeChange(fields, { custom_labels: { values: { b: '3', c: ' ' } } }, old)).toEqual({
    custom_labels: { a: null, b: '3', c: '' },
  });
  for (const empty of [{}, { values: {} }])
    expect(decodeChange(fields, { custom_labels: empty }, old)).toEqual({ custom_labels: { a: null, b: null } });
  // A list is replaced, but an empty list is no change; an empty wrapper clears.
  expect(decodeChange(fields, { names: ['y'] }, old)).toEqual({ names: ['y'] });
  expect(decodeChange(fields, { names: [] }, old)).toEqual({});
  expect(decodeChange(fields, { names: { values: [] } }, old)).toEqual({ names: null });
  // The names of an add, credentials, and fields that a change does not have.
  expect(decodeChange(fields, { push_metrics: true, agent_password: 7, service_id: 's' }, old)).toEqual({});
  expect(replacedLabels(undefined, undefined)).toEqual({});
});

const object = {
  ...{ agent_id: 'a', pmm_agent_id: 'p', insights: { service_ids: ['s', 't'], node_ids: [] }, limit: -1 },
  ...{ push_metrics: true, custom_labels: { x: '' } },
};

test('generation 3 gets every reply field, with zero for absent values', () => {
  expect(encode(fields, object, 3)).toEqual({
    ...{ agent_id: 'a', pmm_agent_id: 'p', service_id: 's', node_id: '', machine_id: '', push_metrics_enabled: true },
    ...{ limit: -1, is_off: true, names: [], custom_labels: { x: '' } },
  });
  expect(encode(fields, { ...object, limit: 0 }, 3)).toMatchObject({ is_off: false });
});

test('generation 2 gets no zero values, and prefixed ids', () => {
  expect(encode(fields, object, 2)).toEqual({
    ...{ agent_id: '/agent_id/a', pmm_agent_id: '/agent_id/p', service_id: '/service_id/s' },
    ...{ push_metrics_enabled: true, limit: -1, is_off: true, custom_labels: { x: '' } },
  });
  expect(encode([inReply('status', 'agent_status', 'status')], {}, 2)).toEqual({});
  expect(encode([inReply('status', 'agent_status', 'status')], { status: 'done' }, 2)).toEqual({ status: 'DONE' });
});

test('replies to generation 2 contain map keys with empty values, for every declared type', () => {
  const declared = [nodeDeclarations, serviceDeclarations, Object.fromEntries(agentDeclarations())].flatMap((all) =>
    Object.values(all).flatMap((declaration) => declaration.fields),
  );
  const maps = declared.filter(({ type, native }) => (type === 'labels' || type === 'map') && native !== undefined);
  expect(maps.length).toBeGreaterThan(20);
  for (const map of maps) expect(encode([map], { [map.native!]: { x: '' } }, 2)).toEqual({ [map.reply!]: { x: '' } });
});

test('a message of generation 2 contains no zero value at any depth', () => {
  const message = { a: 0, b: '', c: false, d: null, e: [], f: {}, g: '0', h: { i: 0, j: 1 }, k: [0], l: undefined };
  expect(shown(message, 2)).toEqual({ h: { j: 1 }, k: [0] });
  expect(shown(message, 3)).toEqual(message);
});
