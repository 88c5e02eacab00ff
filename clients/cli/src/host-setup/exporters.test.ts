import { readFile } from 'node:fs/promises';
import { fencedBlocks } from '../../../../tests/support/fenced-blocks.ts';
import { credentialsFilesOf, type MonitoredService, wrappersOf } from './exporters.ts';
import type { PmmClient } from './pmm-client.ts';

const pmm3: PmmClient = { generation: 3, folder: '/usr/local/percona/pmm' };
const pmm2: PmmClient = { generation: 2, folder: '/usr/local/percona/pmm2' };
const account = { user: 'pmm', password: 'p@ss:/#word' };
const service = (more: object = {}): MonitoredService => ({
  ...{ service_id: 'id-1', service_name: 'shop-db', service_type: 'mysql', address: '127.0.0.1' },
  ...more,
});
const filesOf = (client: PmmClient, more: object = {}) =>
  Object.fromEntries(
    credentialsFilesOf(client, service(more), account).map(({ path, content }) => [path.split('/').at(-1), content]),
  );

test('each documented wrapper equals the written one', async () => {
  const guide = await readFile(new URL('../../../../docs/exporter-credentials.md', import.meta.url), 'utf8');
  const documented = fencedBlocks(guide, 'sh').filter((block) => block.startsWith('#!/bin/sh'));
  const contents = wrappersOf(pmm3).map(({ content }) => content);
  expect(documented.map((wrapper) => contents.includes(wrapper))).toEqual([true, true]);
  expect(wrappersOf(pmm3)[0]).toMatchObject({
    variable: 'PMM_AGENT_PATHS_MONGODB_EXPORTER',
    path: '/usr/local/bin/mongodb-exporter-wrapper',
  });
});

test.each([
  [pmm2, ['mongodb', 'proxysql', 'mysqld']],
  [pmm3, ['mongodb', 'proxysql', 'valkey']],
])('exporters that read no file have wrappers: %j', (client, programs) => {
  const wrappers = wrappersOf(client);
  expect(wrappers.map(({ path }) => path)).toEqual(programs.map((name) => `/usr/local/bin/${name}-exporter-wrapper`));
  for (const { content } of wrappers) expect(content).toContain(`exec ${client.folder}/exporters/`);
});

test.each([
  [pmm3, {}, { 'shop-db.cnf': '[client]\nuser=pmm\npassword="p@ss:/#word"\nhost=127.0.0.1\nport=3306\n' }],
  [
    pmm3,
    { socket: '/run/my.sock' },
    { 'shop-db.cnf': '[client]\nuser=pmm\npassword="p@ss:/#word"\nsocket=/run/my.sock\n' },
  ],
  [pmm2, { port: 3307 }, { 'shop-db.dsn': 'pmm:p@ss:/#word@tcp(127.0.0.1:3307)/\n' }],
  [pmm2, { socket: '/run/my.sock' }, { 'shop-db.dsn': 'pmm:p@ss:/#word@unix(/run/my.sock)/\n' }],
  [pmm2, { address: '::1' }, { 'shop-db.dsn': 'pmm:p@ss:/#word@tcp([::1]:3306)/\n' }],
  [pmm3, { service_type: 'mongodb' }, { 'shop-db.uri': 'mongodb://pmm:p%40ss%3A%2F%23word@127.0.0.1:27017\n' }],
  [
    pmm2,
    { service_type: 'postgresql' },
    { 'shop-db.uri': '127.0.0.1:5432/postgres\n', 'shop-db.user': 'pmm\n', 'shop-db.pass': 'p@ss:/#word\n' },
  ],
  [pmm2, { service_type: 'proxysql' }, { 'shop-db.dsn': 'pmm:p@ss:/#word@tcp(127.0.0.1:6032)/\n' }],
  [pmm3, { service_type: 'valkey' }, { 'shop-db.uri': 'redis://127.0.0.1:6379\n', 'shop-db.pass': 'p@ss:/#word\n' }],
  [pmm2, { service_type: 'valkey' }, {}],
  [pmm3, { service_type: 'haproxy' }, {}],
])("the credentials of a service have its exporter's form: %j %j", (client, more, files) =>
  expect(filesOf(client, more)).toEqual(files),
);

test('a name with a slash has the files of the id', () =>
  expect(Object.keys(filesOf(pmm2, { service_name: 'asg-1/ip-10-0-1-42' }))).toEqual(['id-1.dsn']));

test('without an account a file is a template that no exporter reads', () =>
  expect(credentialsFilesOf(pmm2, service(), undefined)).toEqual([
    {
      path: '/etc/monitoring-inventory/credentials/shop-db.dsn.template',
      content: 'USER:PASSWORD@tcp(127.0.0.1:3306)/\n',
    },
  ]));
