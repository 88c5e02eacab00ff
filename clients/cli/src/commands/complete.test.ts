import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { commands } from '../table.ts';
import { run } from './complete.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'inventory-complete-'));
  await mkdir(join(home, '.config/inventory'), { recursive: true });
  const config = { current: 'prod', contexts: { prod: { url: 'https://p' }, stage: { url: 'https://s' } } };
  await writeFile(join(home, '.config/inventory/config.yaml'), JSON.stringify(config));
});
afterAll(() => rm(home, { recursive: true }));

const nodes = ['db-1', 'db-2', 'web-1'].map((node_name) => ({ node_name }));
const services = ['orders', 'db-pay'].map((service_name) => ({ service_name }));

/** The proposals for a line, of a server with three nodes and two services. */
async function proposals(line: string, isAnswering = true): Promise<string[]> {
  const call = commandCall({
    args: [`inventory ${line}`],
    world: { env: { HOME: home } },
    answer: ({ path }) => {
      if (!isAnswering) return refusal(503);
      const { pathname, searchParams } = new URL(path, 'http://x');
      const prefix = searchParams.get('name_prefix') ?? '';
      return pathname === '/v1/nodes'
        ? { nodes: nodes.filter((node) => node.node_name.startsWith(prefix)) }
        : { services: services.filter((service) => service.service_name.startsWith(prefix)) };
    },
  });
  await run({ ...call, commands });
  return call.out().split('\n').filter(Boolean);
}

test.each([
  ['get ', ['nodes', 'services', 'agents', 'clusters']],
  // Objects, in both forms.
  ['get node d', ['db-1', 'db-2']],
  ['get node db-1 w', ['web-1']],
  ['get node/d', ['node/db-1', 'node/db-2']],
  ['describe n', ['node/']],
  ['describe node w', ['web-1']],
  ['remove node/db-1 service/o', ['service/orders']],
  ['wait service or', ['orders']],
  ['wait --for live node w', ['web-1']],
  ['describe agent mysqld', ['mysqld_exporter']],
  ['describe agent mysqld_exporter o', ['of', 'on']],
  ['describe agent mysqld_exporter of or', ['orders']],
  ['describe agent mysqld_exporter of orders o', ['on']],
  ['describe agent mysqld_exporter of orders on web', ['web-1']],
  // Fields of a change, and their values.
  ['change node/db-1 reg', ['region=']],
  ['change node db-1 mod', ['model=']],
  // Neither the type nor the name can change.
  ['change node db-1 t', []],
  ['change node db-1 n', []],
  ['change node db-1 az=b lifetime=e', ['lifetime=ephemeral']],
  ['change node db-1 la', ['label.']],
  ['change service orders node_ids=db-1,w', ['node_ids=db-1,web-1']],
  ['change agent mysqld_exporter on db-1 log_level=w', ['log_level=warn']],
  ['change agent mysqld_exporter on db-1 disabled', ['disabled=']],
  ['change agent mysqld_exporter on db-1 disabled=', ['disabled=true', 'disabled=false']],
  // Types, values of options.
  ['add agent valkey', ['valkey_exporter']],
  ['set agent pmm', ['pmm_agent']],
  ['add node x --type rem', ['remote', 'remote_rds', 'remote_azure_database']],
  ['add service s --node-ids w', ['web-1']],
  ['add service s --node-ids db-1,d', ['db-1,db-1', 'db-1,db-2']],
  ['add agent x --pmm-agent-id web', ['web-1']],
  ['add agent x --insights-service-ids db', ['db-pay']],
  ['add agent x --log-level d', ['debug']],
  // Filters and columns of a list.
  ['get nodes --filter reg', ['region=']],
  ['get nodes --filter node_type=c', ['node_type=container']],
  ['get agents --filter runs_on_node_id=w', ['runs_on_node_id=web-1']],
  ['get agents --filter service_id=orders,d', ['service_id=orders,db-pay']],
  ['get clusters --filter ', ['name_prefix=']],
  ['get nodes -l team=dba --filter a', ['az=', 'agent_version=', 'address=']],
  ['get nodes --state live,st', ['live,stale']],
  ['get nodes --columns node_name,reg', ['node_name,region']],
  ['wait node/db-1 --for off', ['offline', 'offline_after=']],
  ['watch --kinds node,s', ['node,service', 'node,state']],
  // Contexts, wherever they are named.
  ['--context p', ['prod']],
  ['get nodes --context ', ['prod', 'stage']],
  ['context use s', ['stage']],
  ['context remove ', ['prod', 'stage']],
  ['completion z', ['zsh']],
  ['get agents --filter region=', []],
  ['get clusters --columns clu', ['cluster']],
  // Nothing is known of these.
  ['describe agent/p', []],
  ['change node db-1 colour=', []],
  ['change host/db-1 reg', []],
  ['get nodes --filter region=', []],
  ['get nodes --prefix d', []],
  ['wait --for ', []],
  // A command that shells call is not for people.
  ['_', []],
  // Other names of options are not proposed.
  ['add node x --node', []],
  ['add node x --mo', ['--model']],
  ['change node/db-1 --la', ['--label']],
])('%s', async (line, expected) => expect(await proposals(line)).toEqual(expected));

test.each(['get node d', 'get agents --filter service_id=o', 'change service/orders node_ids=d'])(
  '%s: silent if the server does not answer',
  async (line) => expect(await proposals(line, false)).toEqual([]),
);

test('without a server, contexts and fields are proposed', async () => {
  expect(await proposals('get nodes --context s', false)).toEqual(['stage']);
  expect(await proposals('change node/db-1 reg', false)).toEqual(['region=']);
});

test('at most a hundred names are read and proposed', async () => {
  const call = commandCall({
    args: ['inventory get node d'],
    answer: ({ path }) => {
      const size = Number(new URL(path, 'http://x').searchParams.get('page_size'));
      const names = Array.from({ length: size }, (_, index) => ({ node_name: `db-${index}` }));
      return { nodes: names, next_page_token: 'more' };
    },
  });
  await run({ ...call, commands });
  expect(call.out().trimEnd().split('\n')).toHaveLength(100);
  expect(call.sent).toHaveLength(1);
});

test.each([
  ['get node d', '=:', 'db\\ 1'],
  ['get node "d', '=:', 'db 1'],
  ['get agents --filter runs_on_node_id=d', '=:', 'db\\ 1'],
  ['get agents --filter runs_on_node_id=d', undefined, 'runs_on_node_id=db 1'],
])('for %j and the breaks %j the part %j is printed', async (line, breaks, part) => {
  const call = commandCall({
    args: [`inventory ${line}`],
    options: { breaks },
    answer: () => ({ nodes: [{ node_name: 'db 1' }] }),
  });
  await run({ ...call, commands });
  expect(call.out()).toBe(`${part}\n`);
});
