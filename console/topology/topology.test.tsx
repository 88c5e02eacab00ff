import { screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const WIDE = 25;

const site = openSite();
const ids: Record<string, string> = {};

/** A host with a pmm_agent, an exporter and a database of a cluster. */
const hostOf = (cluster: string, number: number) => {
  const [host, process, db] = [`host_${number}`, `process_${number}`, `db_${number}`];
  const endpoint = { service_type: 'mysql', address: '10.0.0.1', port: 3306 };
  return [
    {
      ...{ op: 'addNode', ref: host },
      body: { node_type: 'generic', node_name: `${cluster}-host-${number}`, address: '10.0.0.1' },
    },
    { op: 'addAgent', ref: process, body: { agent_type: 'pmm_agent', runs_on_node_id: `$${host}` } },
    {
      ...{ op: 'addService', ref: db },
      body: { ...endpoint, service_name: `${cluster}-db-${number}`, node_ids: [`$${host}`], cluster },
    },
    {
      ...{ op: 'addAgent', ref: `exporter_${number}` },
      body: { agent_type: 'mysqld_exporter', pmm_agent_id: `$${process}`, insights: { service_ids: [`$${db}`] } },
    },
  ];
};

async function add(operations: { op: string; ref?: string }[]): Promise<void> {
  const { results } = await site.write('POST', '/v1/batch', { operations });
  for (const [index, { ref }] of operations.entries()) {
    expect(results[index]).toMatchObject({ status: 201 });
    ids[String(ref)] = results[index].id;
  }
}

beforeAll(async () => {
  await add(Array.from({ length: WIDE }, (_, index) => hostOf('wide', index + 1)).flat());
  await add([1, 2].flatMap((number) => hostOf('ledger', number)));
  ids['large'] = (await site.addNode('large')).node_id;
  await add(
    Array.from({ length: 90 }, (_, index) => ({
      op: 'addService',
      body: {
        ...{ service_type: 'mysql', service_name: `large-${index}`, node_ids: [ids['large']] },
        ...{ address: '10.0.0.1', port: 3306 + index },
      },
    })),
  );
});

const graph = (subject: string) => document.querySelector(`[role=group][aria-label='Topology of the ${subject}']`);
const list = (subject: string) => document.querySelector(`ul[aria-label='Topology of the ${subject}']`);

/** The boxes in the order of the keyboard. */
const boxes = (subject: string) => [...graph(subject)!.querySelectorAll('a')];

const named = (subject: string, text: RegExp) => boxes(subject).find((box) => text.test(textOf(box)))!;

/** The names of the boxes; of an agent its type. */
const names = (subject: string) =>
  boxes(subject).map((box) => /^\w+ (ledger-(?:host|db)-\d|pmm_agent|mysqld_exporter)/.exec(textOf(box))?.[1]);

const title = () => textOf(document.querySelector('main h1')!);

const choose = (form: string) => user.click(screen.getByRole('button', { name: form, hidden: true }));

const AROUND = ['ledger-host-1', 'pmm_agent', 'mysqld_exporter', 'ledger-db-1'];

test('the page of a node shows what runs on it and what watches it, the service the same; each object leads to its page', async () => {
  await site.at(`nodes/${ids['host_1']}`);
  expect(textOf(named('node', /^node ledger-host-1/))).toMatch(/generic.*Never seen/);
  expect(names('node')).toEqual(AROUND);
  expect(graph('node')!.querySelectorAll('path[class^=topology]')).toHaveLength(4);
  expect(graph('node')!.querySelector('[aria-current]')?.getAttribute('title')).toBe('ledger-host-1');
  await user.hover(named('node', /^agent mysqld_exporter/));
  expect(graph('node')!.querySelectorAll('path.topology-pointed')).toHaveLength(2);
  await user.click(named('node', /^service ledger-db-1/));
  expect(title()).toBe('ledger-db-1');
  expect(names('service')).toEqual(AROUND);
});

test('the page of an agent shows its process, what it gives insight into, and where all of them run; as a list, too', async () => {
  await site.at(`agents/${ids['exporter_1']}`);
  expect(names('agent')).toEqual(AROUND);
  expect(textOf(graph('agent')!.querySelector('[aria-current]')!)).toContain('mysqld_exporter');
  await user.click(named('agent', /^agent pmm_agent/));
  expect(title()).toMatch(/^pmm_agent/);
  expect(names('agent')).toEqual(AROUND);
  await choose('List');
  expect(graph('agent')).toBeNull();
  expect(textOf(list('agent')!)).toContain('gives insight into service ledger-db-1');
  await choose('Graph');
  expect(names('agent')).toEqual(AROUND);
});

test('the page of a cluster shows all its services; as a list with the same objects, which is remembered', async () => {
  await site.at('clusters/ledger');
  // Another file of this process may have chosen a form, which the module keeps. The default one is not stored.
  await choose('Members');
  expect(localStorage.getItem('topology-cluster')).toBeNull();
  expect([graph('cluster'), list('cluster')]).toEqual([null, null]);
  await choose('Graph');
  expect(boxes('cluster')).toHaveLength(8);
  await choose('List');
  // A service is below its node and below its exporter.
  const links = [...list('cluster')!.querySelectorAll('a')].map(textOf);
  expect(links.filter((name) => name === 'ledger-db-2')).toHaveLength(2);
  expect(textOf(list('cluster')!)).toContain('gives insight into service ledger-db-2');
  expect(localStorage.getItem('topology-cluster')).toContain('list');
  await choose('Members');
  expect(list('cluster')).toBeNull();
});

test('more than can be drawn is counted, and leads to the list', async () => {
  await site.at(`nodes/${ids['large']}`);
  expect(boxes('node')).toHaveLength(60);
  await user.click(screen.getByText('and 31 services more'));
  expect(title()).toMatch(/^Services/);
  expect(location.hash).toBe(`#/services?node_id=${ids['large']}`);
});

test('a large cluster shows all its services and nodes, and counts the agents that are left out', async () => {
  await site.at('clusters/wide');
  await choose('Graph');
  const kinds = boxes('cluster').map((box) => /^\w+/.exec(textOf(box))?.[0]);
  for (const kind of ['node', 'service']) expect(kinds.filter((each) => each === kind)).toHaveLength(WIDE);
  expect(textOf()).toMatch(/and at least \d+ agents more/);
  await choose('Members');
});

test('in a narrow window there is the list alone', async () => {
  await site.at(`nodes/${ids['host_1']}`, { width: 390, height: 844 });
  expect(textOf(list('node')!)).toContain('gives insight into service ledger-db-1');
  expect(graph('node')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Graph', hidden: true })).toBeNull();
});
