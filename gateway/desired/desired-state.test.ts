import { toBinary } from '@bufbuild/protobuf';
import { agentTypes } from '../../functions/domain/agent/types.ts';
import { desiredState, fingerprintOf } from './desired-state.ts';
import type { DesiredAgent, DesiredService } from './objects.ts';
import type { AgentProcess } from './exporters.ts';
import { SetStateSchema } from '../protocol/generated/agent_pb.ts';
import fc from '../../shared/testing/fast-check.ts';
import { exporterIn, processesIn } from '../../tests/support/pmm-agent.ts';

const process: AgentProcess = { generation: 3, version: '3.5.0' };

const agent = (more: Partial<DesiredAgent> & Pick<DesiredAgent, 'agent_type'>): DesiredAgent => ({
  agent_id: 'a',
  disabled: false,
  insights: { service_ids: ['s'] },
  ...more,
});

const service = (more: Partial<DesiredService> = {}): DesiredService => ({
  service_id: 's',
  service_name: 'db-1',
  address: '10.0.0.1',
  port: 3306,
  ...more,
});

const state = (agents: readonly DesiredAgent[], target = service(), by = process) =>
  desiredState({ agents, services: new Map([[target.service_id, target]]), process: by });

/** The exporters that a process starts, as the model of an agent reads them. */
function started(agents: readonly DesiredAgent[], target = service(), by = process) {
  const bytes = Buffer.from(toBinary(SetStateSchema, state(agents, target, by).state));
  return new Map([...processesIn(bytes)].map(([id, message]) => [id, exporterIn(message)]));
}

test('is the same for the same objects in any order', () => {
  const agents = agentTypes.map((agent_type, index) =>
    agent({ agent_type, agent_id: `a${index}`, disable_collectors: ['b', 'a', 'c'] }),
  );
  const first = fingerprintOf(state(agents).state);
  fc.assert(
    fc.property(fc.shuffledSubarray(agents, { minLength: agents.length }), (shuffled) => {
      const turned = shuffled.map((candidate) => ({ ...candidate, disable_collectors: ['c', 'a', 'b', 'a'] }));
      expect(fingerprintOf(state(turned).state)).toBe(first);
    }),
  );
  expect(fingerprintOf(state(agents.slice(1)).state)).toBe(first);
  expect(fingerprintOf(state(agents.filter((candidate) => candidate.agent_type !== 'node_exporter')).state)).not.toBe(
    first,
  );
});

test('each agent runs, waits with a reason, or is disabled', () => {
  for (const generation of [2, 3] as const)
    for (const agent_type of agentTypes) {
      const by = { generation, version: generation === 2 ? '2.16.0' : '3.5.0' };
      const { waiting, state: told } = state([agent({ agent_type })], service(), by);
      expect([agent_type, waiting.length + Object.keys(told.agentProcesses).length]).toEqual([agent_type, 1]);
      for (const { reason } of waiting) expect(Array.from(reason).length).toBeLessThanOrEqual(256);
      expect(state([agent({ agent_type, disabled: true })], service(), by)).toMatchObject({ waiting: [] });
    }
});

test.each([
  ['a type that an old agent does not know', 'valkey_exporter', { generation: 3, version: '3.4.1' }, /too old/],
  ['the same for PMM 2', 'valkey_exporter', { generation: 2, version: '2.44.0' }, /too old/],
  ['query analytics', 'qan_mysql_slowlog_agent', process, /no data of queries/],
  ['a type of a later version', 'oracle_exporter', process, /does not start agents of the type/],
] as const)('%s waits', (_, agent_type, by, reason) => {
  expect(state([agent({ agent_type })], service(), by).waiting).toEqual([
    { agentId: 'a', reason: expect.stringMatching(reason) },
  ]);
});

test.each([
  ['2.99.0', false],
  ['3.0.0', false],
  ['3.4.9', false],
  ['3.5.0', true],
  ['3.10.0', true],
  ['4.0.0', true],
])('a pmm-agent %s knows the type since 3.5: %p', (version, isKnown) => {
  const { waiting, state: told } = state([agent({ agent_type: 'valkey_exporter' })], service(), {
    ...process,
    version,
  });
  expect(Object.keys(told.agentProcesses)).toHaveLength(isKnown ? 1 : 0);
  expect(waiting.map(({ reason }) => reason)).toEqual(
    isKnown ? [] : [`pmm-agent ${version} is too old for a valkey_exporter.`],
  );
  // Every version knows the other types.
  expect(state([agent({ agent_type: 'mysqld_exporter' })], service(), { ...process, version }).waiting).toEqual([]);
});

test('an exporter without a service waits', () => {
  const alone = agent({ agent_type: 'mysqld_exporter', insights: { service_ids: [] } });
  expect(state([alone]).waiting).toEqual([{ agentId: 'a', reason: 'It gives insight into no service.' }]);
});

/** Names with all that could mean something: templates, shells, paths, JSON. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 128 }),
  fc
    .array(
      fc.constantFrom(
        '{{',
        '}}',
        '{',
        '[[',
        ']]',
        '((',
        '<<',
        '>>',
        '.server_password',
        '.listen_port',
        '$(id)',
        '"',
        "'",
        '\n',
        '\0',
        '../',
        '`',
        '=',
        ' ',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

test('names and addresses are no templates, and affect only their own value', () => {
  const types = [
    'mysqld_exporter',
    'postgres_exporter',
    'mongodb_exporter',
    'proxysql_exporter',
    'valkey_exporter',
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...types), hostile, hostile, (agent_type, service_name, address) => {
      const run = (target: DesiredService) => started([agent({ agent_type })], target).get('a')!;
      const [plain, tried] = [run(service({ service_name: '-' })), run(service({ service_name, address }))];
      const connectionVariable = /^INVENTORY_(?:SERVICE|ADDRESS)=/;
      const kept = (of: typeof plain) => [
        of.args.map((argument) => argument.replace(String(of.port), 'PORT').replaceAll('/db-1.', '/s.')),
        of.env.filter((argument) => !connectionVariable.test(argument)),
      ];
      // A name that is a file name names the files; any other name leaves them at the id.
      if (!/^[A-Za-z0-9]/.test(service_name)) expect(kept(tried)).toEqual(kept(plain));
      const shown = (text: string) => text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ');
      expect(tried.env.filter((variable) => connectionVariable.test(variable))).toEqual([
        `INVENTORY_ADDRESS=${shown(address)}:3306`,
        `INVENTORY_SERVICE=${shown(service_name)}`,
      ]);
      for (const setting of [...tried.args, ...tried.env.filter((value) => !connectionVariable.test(value))])
        expect(setting).toMatch(
          /^(?:--web\.listen-address=127\.0\.0\.1:\d+|(?:--config\.my-cnf|DATA_SOURCE_\w+|INVENTORY_CREDENTIALS)=\/etc\/monitoring-inventory\/credentials\/[A-Za-z0-9._-]+)$/,
        );
    }),
    { numRuns: 10_000 },
  );
});

test('collectors are the only user text that becomes an argument', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 5 }), (names) => {
      const { args } = started([agent({ agent_type: 'node_exporter', disable_collectors: [...names, 'zfs'] })]).get(
        'a',
      )!;
      for (const argument of args)
        expect(argument).toMatch(/^--(?:web\.listen-address=127\.0\.0\.1:\d+|no-collector\.[a-z0-9_.]+)$/);
      expect(args).toContain('--no-collector.zfs');
    }),
  );
});
