import fc from '../../../shared/testing/fast-check.ts';
import {
  accessEventKey,
  accountKey,
  agentEdgeKey,
  agentKeyClaim,
  agentOrder,
  agentOrdersOf,
  apiKeyCounterKey,
  apiKeyIdKey,
  apiKeyItemKey,
  apiKeyNameKey,
  collectorSessionKey,
  containerClaim,
  dependentsKey,
  deviceKey,
  enrolmentTokenIdKey,
  enrolmentTokenKey,
  indexAttributes,
  insightEdgeKey,
  listPartition,
  nameOfKey,
  nodeNameClaim,
  objectKey,
  overflowPartition,
  pageTokenSecretKey,
  rateKey,
  registrarCounterKey,
  stateChangeKey,
  jobKey,
  refusalKey,
  serviceEdgeKey,
  serviceNameClaim,
  typeOrder,
  typePartition,
  unplacedPartition,
  writeCheckKey,
  changeIdOf,
  changeKey,
  changesFrom,
  changeShardPartition,
  changeShardsKey,
  everyObject,
  forcedRemovalIn,
  forcedRemovalKey,
  groupMembersKey,
  groupTimesKey,
  heartbeatKey,
  heartbeatPartitions,
  idempotencyItemKey,
  isAccessItem,
  labelIndexPartition,
  nodeAddressClaim,
  processAttribute,
  processIn,
  reconciliationIdOf,
  reconciliationKey,
  reconciliationPartKey,
  removalIdOf,
  removalIn,
  removalKey,
  removalsFrom,
  sessionIdKey,
  sessionItemKey,
  sessionSlotKey,
  timeOfChange,
  timeOfRemoval,
  timeOfSortKey,
  passwordMarkKey,
  userKey,
  renewalKey,
  roleBindingKey,
  providerKey,
  providerLogOutKey,
  providerSessionKey,
  usedProofKey,
  userCodeKey,
  formatKey,
  listedReconciliationKey,
  serviceAccountKey,
  additionsKey,
  silenceKey,
  savedFilterKey,
  pinKey,
  summaryKey,
} from './keys.ts';
import { shapeOf } from '../../../tests/support/item-shapes.ts';
import { items } from './items.ts';
import { agentTypes } from '../../domain/agent/types.ts';
import { objectKinds } from '../../domain/fields/object-kind.ts';

const TIME = Date.parse('2026-05-01T10:00:00.123Z');

test('every item has its key', () => {
  const agent = { agent_type: 'vm_agent', agent_id: 'a' } as const;
  const keys = [
    ...[objectKey('node', 'n'), dependentsKey('agent', 'a'), forcedRemovalKey('service', 's')],
    ...[serviceEdgeKey('n', 'name'), agentEdgeKey('agent', 'p', agent), insightEdgeKey('service', 's', agent)],
    ...[
      nodeNameClaim('x'),
      serviceNameClaim('x'),
      nodeAddressClaim('eu', 'a'),
      containerClaim('c'),
      agentKeyClaim('d'),
    ],
    ...[changeKey('0abc'), removalKey('id', 'part'), refusalKey(0, 'd'), accessEventKey('session.added', 36, 'n')],
    accessEventKey('annotation.added', 36, 'n'),
    ...[apiKeyItemKey('h'), apiKeyIdKey('i'), apiKeyNameKey('n'), apiKeyCounterKey, rateKey('k', 7)],
    registrarCounterKey('registrar/web-1'),
    ...[sessionItemKey('h'), sessionIdKey('i')],
    ...[enrolmentTokenKey('h'), enrolmentTokenIdKey('i'), sessionSlotKey('u', '07'), passwordMarkKey('u')],
    ...[
      accountKey('u'),
      userKey('u'),
      roleBindingKey('b'),
      renewalKey('s'),
      providerKey('p'),
      providerSessionKey('d', 's'),
      providerLogOutKey('d'),
      usedProofKey('h'),
      deviceKey('h'),
      userCodeKey('h'),
      idempotencyItemKey('c', 'h'),
      reconciliationKey('r'),
      reconciliationPartKey('r', 1),
    ],
    ...[pageTokenSecretKey, writeCheckKey, changeShardsKey],
    ...[
      stateChangeKey('0abc'),
      jobKey('state_events'),
      jobKey('reopening'),
      jobKey('indexing'),
      jobKey('cleanup'),
      jobKey('count'),
    ],
    ...[objectKey('service', 's'), objectKey('agent', 'a'), summaryKey, formatKey, serviceAccountKey(7)],
    silenceKey('s'),
    savedFilterKey('user/a', 'nodes', 'n'),
    pinKey('user/a', 'i'),
    additionsKey('USERS'),
    collectorSessionKey('c', 'u'),
    ...[heartbeatKey('n'), groupTimesKey('g'), groupMembersKey('g'), listedReconciliationKey('r')],
    { pk: labelIndexPartition('node', 'l', 'v'), sk: 'n' },
    { pk: labelIndexPartition('service', 'cluster', 'v'), sk: 'n' },
    { pk: overflowPartition('agent'), sk: 'o' },
    { pk: unplacedPartition('service'), sk: 'n' },
  ];
  expect(new Set(keys.map(shapeOf))).toEqual(new Set(Object.values(items)));
  expect(keys.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([
    ...['NODE#n NODE', 'AGENT#a GUARD', 'FORCED_REMOVALS SERVICE#s'],
    ...['NODE#n SERVICE#name', 'AGENT#p AGENT#vm_agent#a', 'SERVICE#s INSIGHT#vm_agent#a'],
    ...[
      'NODE_NAME#x CLAIM',
      'SERVICE_NAME#x CLAIM',
      'NODE_ADDRESS#eu#a CLAIM',
      'CONTAINER#c CLAIM',
      'AGENT_KEY#d CLAIM',
    ],
    ...['CHANGE#0 abc', 'REMOVALS id#part', 'AUDIT#REFUSED 000000000d', 'AUDIT#ACCESS 000000010n'],
    'AUDIT#ANNOTATED 000000010n',
    ...['KEY#h KEY', 'KEY_ID#i KEY_ID', 'API_KEYS KEY#n', 'API_KEYS COUNTER', 'RATE#k#7 RATE'],
    'API_KEYS COUNTER#14',
    ...['SESSION#h SESSION', 'SESSION_ID#i SESSION_ID'],
    ...['ENROLMENT#h ENROLMENT', 'ENROLMENT_TOKENS TOKEN#i', 'SESSIONS u#07', 'SESSIONS u#'],
    ...[
      'ACCOUNT#u ACCOUNT',
      'USERS USER#u',
      'ROLE_BINDINGS BINDING#b',
      'RENEWAL#s RENEWAL',
      'PROVIDER#p PROVIDER',
      'PROVIDER_SESSION#d SESSION#s',
      'PROVIDER_SESSION#d LOG_OUT',
      'LOGIN#h LOGIN',
      'DEVICE#h DEVICE',
      'USER_CODE#h USER_CODE',
      'IDEMPOTENCY#c#h REQUEST',
      'RECONCILIATION#r RECONCILIATION',
      'RECONCILIATION#r PART#0001',
    ],
    ...[
      'SECRET#PAGE_TOKEN SECRET',
      'WRITE_CHECK WRITE_CHECK',
      'CHANGE_SHARDS CHANGE_SHARDS',
      'STATE_CHANGES abc',
      'STATE_PASS JOB',
      'CLEANUP REOPENING_JOB',
      'CLEANUP INDEXING_JOB',
      'CLEANUP JOB',
      'SUMMARY COUNT',
    ],
    ...['SERVICE#s SERVICE', 'AGENT#a AGENT', 'SUMMARY SUMMARY', 'FORMAT FORMAT', 'API_KEYS SERVICE_ACCOUNT#7'],
    'SILENCES SILENCE#s',
    'SAVED_FILTERS#user/a FILTER#nodes#n',
    'SAVED_FILTERS#user/a PIN#i',
    'ADDITIONS#USERS ADDITIONS',
    'OPAMP#c#u OPAMP',
    ...[
      'HEARTBEATS#b n',
      'HEARTBEAT_GROUP#g TIMES',
      'HEARTBEAT_GROUP#g MEMBERS',
      'FAILED_RECONCILIATIONS r',
      'NODES#l#v n',
      'SERVICES#cluster#v n',
      'AGENTS#* o',
      'SERVICES#@ n',
    ],
  ]);
  expect([typePartition('node', 't'), listPartition('agent')]).toEqual(['NODES#t', 'AGENTS']);
  expect(indexAttributes.agent(agent)).toEqual({ list_pk: 'AGENTS', list_sk: 'vm_agent#a' });
  expect([agentOrder(agent).startsWith(typeOrder('vm_agent')), nameOfKey({ pk: 'a', sk: 'b' })]).toEqual([
    true,
    '["a","b"]',
  ]);
});

test('a change id contains its partition and time, and sorts by time, transaction and index', () => {
  const id = changeIdOf(3, TIME, 'abcdef', 7);
  expect(id).toHaveLength(18);
  expect(timeOfChange(id)).toBe(TIME);
  expect(changeKey(id)).toEqual({ pk: changeShardPartition(3), sk: id.slice(1) });
  expect(timeOfSortKey(changeKey(id).sk)).toBe(TIME);
  const later = [
    changeIdOf(3, TIME, 'abcdef', 40),
    changeIdOf(3, TIME, 'abcdeg', 0),
    changeIdOf(3, TIME + 1, '000000', 0),
  ];
  expect([...later, id].sort()).toEqual([id, ...later]);
});

test('the lower bound of changes includes those of its millisecond, and excludes earlier ones', () => {
  expect(changeKey(changeIdOf(0, TIME, '000000', 0)).sk >= changesFrom(TIME)).toBe(true);
  expect(changeKey(changeIdOf(0, TIME - 1, 'zzzzzz', 99)).sk >= changesFrom(TIME)).toBe(false);
  // Times of fewer digits sort before the present ones.
  expect(changesFrom(0) < changesFrom(1)).toBe(true);
  expect(changesFrom(35) < changesFrom(36)).toBe(true);
});

test('a removal id contains its time, and is found in the sort key of each part', () => {
  const id = removalIdOf(TIME, 'abcdef');
  expect(timeOfRemoval(id)).toBe(TIME);
  const { sk } = removalKey(id, '0part');
  expect(removalIn(sk)).toBe(id);
  expect(sk >= removalsFrom(TIME)).toBe(true);
  expect(sk >= removalsFrom(TIME + 1)).toBe(false);
});

test('parts of a key stay distinct, whatever they contain', () => {
  expect(nodeAddressClaim('a#b', 'c')).not.toEqual(nodeAddressClaim('a', 'b#c'));
  expect(nodeAddressClaim('a%23b', 'c')).not.toEqual(nodeAddressClaim('a#b', 'c'));
  expect(idempotencyItemKey('a#b', 'c')).not.toEqual(idempotencyItemKey('a', 'b#c'));
  expect(sessionSlotKey('a#0', '1').sk.startsWith(passwordMarkKey('a').sk)).toBe(false);
});

test('a label value of 256 bytes is shown in the key, a longer one is hashed', () => {
  const of = (value: string) => labelIndexPartition('node', 'label', value);
  expect(of('x'.repeat(256))).toBe(`NODES#label#${'x'.repeat(256)}`);
  expect(of('x'.repeat(257))).toMatch(/^NODES#label#sha256:[0-9a-f]{64}$/);
  expect(of('é'.repeat(128))).toBe(`NODES#label#${'é'.repeat(128)}`);
  expect(of('é'.repeat(129))).toContain('sha256:');
});

test('heartbeats are spread over all partitions, and each node stays in its own', () => {
  const keys = Array.from({ length: 400 }, (_, index) => heartbeatKey(`node ${index}`));
  expect(new Set(keys.map(({ pk }) => pk))).toEqual(new Set(heartbeatPartitions));
  expect(heartbeatPartitions).toHaveLength(16);
  expect(heartbeatKey('node 7')).toEqual(keys[7]);
  expect(processIn(processAttribute('id'))).toBe('id');
  expect(processIn('node_name')).toBeUndefined();
});

test('the kind and id of an object are found in the key of its forced removal', () => {
  for (const kind of objectKinds) expect(forcedRemovalIn(forcedRemovalKey(kind, 'id').sk)).toEqual({ kind, id: 'id' });
  expect(() => forcedRemovalIn('OTHER#id')).toThrow('no forced removal');
});

test('parts of a reconciliation sort by their number', () => {
  expect(reconciliationIdOf(reconciliationKey('id').pk)).toBe('id');
  const sorted = [0, 9, 10, 100].map((number) => reconciliationPartKey('id', number).sk);
  expect([...sorted].sort()).toEqual(sorted);
});

test('the ranges of all objects contain each agent once, and pmm_agents first', () => {
  const ranges = everyObject.flatMap(({ between }) => (between === undefined ? [] : [between]));
  const placesOf = (order: string) =>
    ranges.flatMap(([from, to], index) => (from <= order && order <= to ? [index] : []));
  expect(placesOf('pmm_agent#id')).toEqual([0]);
  expect(placesOf('mysqld_exporter#id')).toEqual([1]);
  expect(placesOf('vm_agent#id')).toEqual([2]);
  expect(everyObject.slice(0, 2)).toEqual([{ kind: 'node' }, { kind: 'service' }]);
});

test.each([
  ['KEY#x', true],
  ['KEY_ID#x', true],
  ['ACCOUNT#admin', true],
  ['ENROLMENT#x', true],
  ['ENROLMENT_TOKENS', true],
  ['AUDIT#ACCESS', true],
  ['AUDIT#REFUSED', true],
  ['AUDIT#ANNOTATED', true],
  ['SESSIONS', true],
  ['SECRET#PAGE_TOKEN', true],
  ['RATE#x#1', true],
  ['NODE#x', false],
  ['KEYS', false],
  ['CHANGE#0', false],
  ['STATE_CHANGES', false],
  ['CHANGE_SHARDS', true],
  ['FORMAT', true],
  ['WRITE_CHECK', true],
])('%s concerns access: %s', (pk, isAccess) => {
  expect(isAccessItem({ pk })).toBe(isAccess);
});

describe("partitions of a type's agents", () => {
  /** Ids, of which many are at the ends of parts. */
  const agentId = fc.oneof(
    fc.uuid(),
    fc.uuid().map((id) => `00000000${id.slice(8)}`),
    fc.uuid().map((id) => `${id[0]}0000000${id.slice(8)}`),
    fc.uuid().map((id) => `${id[0]}fffffff${id.slice(8)}`),
    fc.uuid().map((id) => `ffffffff${id.slice(8)}`),
  );

  test('contain each agent exactly once, and none of another type', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...agentTypes),
        fc.constantFrom(...agentTypes),
        agentId,
        fc.integer({ min: 1, max: 64 }),
        (type, other, id, count) => {
          const order = agentOrder({ agent_type: type, agent_id: id });
          const partsWithIt = (of: string) =>
            Array.from({ length: count }, (_, index) => agentOrdersOf(of, { index, count })).filter(
              ([from, to]) => from <= order && order <= to,
            );
          expect(partsWithIt(type)).toHaveLength(1);
          if (other !== type) expect(partsWithIt(other)).toEqual([]);
        },
      ),
    );
  });

  test('are of equal size', () => {
    const digits = (order: string) => order.slice('vm_agent#'.length);
    const parts = Array.from({ length: 16 }, (_, index) => agentOrdersOf('vm_agent', { index, count: 16 }));
    expect(parts.map(([from]) => digits(from))).toEqual([
      '',
      ...Array.from({ length: 15 }, (_, index) => `${(index + 1).toString(16)}0000000`),
    ]);
    expect(parts.at(-1)![1]).toBe('vm_agent$');
  });
});
