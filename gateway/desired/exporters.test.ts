import { type ProcessType, processTypes } from '../protocol/enumerations.ts';
import { exporterOf } from './exporters.ts';
import type { DesiredAgent, DesiredService } from './objects.ts';

const delimiters = { left: '{{', right: '}}' };

const service: DesiredService = { service_id: 's', service_name: 'db-1', address: '10.0.0.1', port: 3306 };

/** The exporter of an agent of this type, for a service. */
const started = (
  agent_type: ProcessType,
  more: Partial<DesiredAgent> & { push_metrics?: boolean | undefined } = {},
  { of = service, generation = 3 }: { of?: DesiredService | undefined; generation?: 2 | 3 } = {},
) => {
  const agent = { agent_id: 'a', agent_type, disabled: false, insights: { service_ids: ['s'] }, ...more };
  return exporterOf(agent_type, { agent, delimiters, service: of, process: { generation, version: '3.5.0' } });
};

test.each(Object.keys(processTypes) as ProcessType[])(
  'a %s listens on the loopback interface unless it is exposed',
  (type) => {
    for (const [expose_exporter, host] of [
      [undefined, '127.0.0.1'],
      [false, '127.0.0.1'],
      [true, ''],
    ] as const)
      for (const generation of [2, 3] as const)
        for (const push_metrics of [undefined, false, true]) {
          const flags = { expose_exporter, push_metrics };
          const listening = started(type, flags, { generation })?.args.filter((argument) =>
            argument.includes('listen'),
          );
          expect([flags, listening]).toEqual([flags, [`--web.listen-address=${host}:{{ .listen_port }}`]]);
        }
  },
);

test('disabled collectors are sorted, unique, and limited to collector names', () => {
  const disable_collectors = ['zfs', 'arp', 'zfs', '--web.config', 'x'.repeat(65), ''];
  expect(started('node_exporter', { disable_collectors })?.args.slice(1)).toEqual([
    '--no-collector.arp',
    '--no-collector.zfs',
  ]);
});

test('a mysqld_exporter reads its password from a host file, one of PMM 2 from its wrapper', () => {
  const file = '/etc/monitoring-inventory/credentials/db-1.cnf';
  const env = [
    'INVENTORY_ADDRESS=10.0.0.1:3306',
    'INVENTORY_CREDENTIALS=/etc/monitoring-inventory/credentials/db-1',
    'INVENTORY_SERVICE=db-1',
  ];
  expect(started('mysqld_exporter')).toEqual({
    args: [`--config.my-cnf=${file}`, '--web.listen-address=127.0.0.1:{{ .listen_port }}'],
    env,
    needs: `Needs a password file on the host: ${file}`,
  });
  expect(started('mysqld_exporter', {}, { generation: 2 })).toEqual({
    args: ['--web.listen-address=127.0.0.1:{{ .listen_port }}'],
    env,
    needs: expect.stringContaining('name a wrapper as paths.mysqld_exporter in the file of pmm-agent'),
  });
});

test('a postgres_exporter gets the names of its files', () => {
  const file = '/etc/monitoring-inventory/credentials/db-1';
  expect(started('postgres_exporter')?.env).toEqual([
    `DATA_SOURCE_PASS_FILE=${file}.pass`,
    `DATA_SOURCE_URI_FILE=${file}.uri`,
    `DATA_SOURCE_USER_FILE=${file}.user`,
    'INVENTORY_ADDRESS=10.0.0.1:3306',
    `INVENTORY_CREDENTIALS=${file}`,
    'INVENTORY_SERVICE=db-1',
  ]);
});

test('a service states its address as far as it has one, without control characters', () => {
  const env = (of: Partial<DesiredService>) =>
    started('valkey_exporter', {}, { of: { service_id: 's', service_name: 'cache', ...of } })?.env;
  expect(env({})).toEqual([
    'INVENTORY_CREDENTIALS=/etc/monitoring-inventory/credentials/cache',
    'INVENTORY_SERVICE=cache',
  ]);
  // No file has a name with a slash.
  expect(env({ service_name: 'asg-1/ip-10-0-1-42' })?.[0]).toBe(
    'INVENTORY_CREDENTIALS=/etc/monitoring-inventory/credentials/s',
  );
  expect(env({ address: '/run/valkey.sock' })).toContain('INVENTORY_ADDRESS=/run/valkey.sock');
  expect(env({ service_name: 'a\nb\0c\u007f' })).toContain('INVENTORY_SERVICE=a b c ');
});

test('without its service only a node_exporter starts', () => {
  const alone = { agent_id: 'a', agent_type: 'valkey_exporter', disabled: false, insights: { service_ids: [] } };
  const context = {
    agent: alone,
    service: undefined,
    delimiters,
    process: { generation: 3, version: '3.5.0' },
  } as const;
  expect(exporterOf('valkey_exporter', context)).toBeUndefined();
  expect(exporterOf('node_exporter', context)).toMatchObject({ env: [] });
});
