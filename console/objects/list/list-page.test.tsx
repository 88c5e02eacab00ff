import { cellsOf, goTo, pass, rowsOf, screen, untilQuiet, textOf, user } from '../../testing/page.tsx';
import { setPageSize } from '../../testing/page-size.tsx';
import { openSite } from '../../testing/site.tsx';

/** Three pages. */
const COUNT = 24;
const PAGE_SIZE = 10;

const site = openSite();
setPageSize(PAGE_SIZE, 'nodes');

const name = (index: number) => `db-${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  const operations = Array.from({ length: COUNT }, (_, index) => ({
    op: 'addNode',
    body: {
      node_type: index === 14 ? 'container' : 'generic',
      node_name: name(index),
      address: `10.0.0.${index}`,
      ...(index % 8 === 0 ? { region: 'eu-central-1' } : {}),
      // Of the nodes with a region, this one is on the third page.
      ...(index === 22 ? { region: 'far-away-1' } : {}),
    },
  }));
  await site.write('POST', '/v1/batch', { operations });
});

const nodeOf = async (text: string) => (await site.api('GET', `/v1/nodes?name_prefix=${text}`)).body.nodes[0];

// `hidden` saves the search for what hides it, which takes most of the time in a table.
const button = (text: string) => screen.getByRole('button', { name: text, hidden: true });

const has = (text: string) => [...document.querySelectorAll('a')].some(({ textContent }) => textContent === text);

async function filterBy(noun: string, ...parts: string[]): Promise<void> {
  const input = screen.getByLabelText(`Filter ${noun}`);
  for (const part of parts) await user.type(input, part);
  await pass(1000);
  await user.keyboard('{Enter}');
}

test('one page is loaded at a time, and a visited page is shown at once until an object changes there', async () => {
  const network = await site.at('nodes');
  expect([has(name(0)), has(name(10))]).toEqual([true, false]);
  expect(textOf()).toContain('(24)');
  const earlier = network.requests.length;
  await user.click(button('Next page'));
  expect([has(name(10)), has(name(0))]).toEqual([true, false]);
  await user.click(button('Page 3 of all pages'));
  expect(has(name(23))).toBe(true);
  const asked = network.requests.slice(earlier);
  expect(asked).toHaveLength(2);
  for (const path of asked) expect(path).toMatch(/^GET \/v1\/nodes\?page_size=10&page_token=/);

  const release = network.hold('GET /v1/nodes');
  await user.click(button('Page 2 of all pages'));
  expect(has(name(10))).toBe(true);
  await user.click(button('Page 1 of all pages'));
  expect(has(name(0))).toBe(true);
  await goTo('nodes/add');
  await user.type(screen.getByLabelText('Name'), 'an added node');
  await user.type(screen.getByLabelText('Address'), '10.0.9.9');
  await user.click(button('Add node'));
  expect(document.querySelector('main h1')?.textContent).toBe('an added node');
  await goTo('nodes');
  expect(document.querySelector('main h1')?.textContent).toMatch(/^Nodes/);
  expect(has(name(0))).toBe(false);
  release();
  await untilQuiet();
  expect([has('an added node'), has(name(0))]).toEqual([true, true]);
  await site.write('DELETE', `/v1/nodes/${(await nodeOf('an added node')).node_id}`);
});

test('page and order are in the address, and the last page is known with the total', async () => {
  const network = await site.at('nodes?page=3');
  expect([has(name(23)), has(name(19))]).toEqual([true, false]);
  await user.click(button('Page 2 of all pages'));
  expect([has(name(19)), has(name(9))]).toEqual([true, false]);
  expect(location.hash).toBe('#/nodes?page=2');

  await goTo('nodes?page=9');
  expect(textOf()).toContain('No more rows.');
  await user.click(button('Back'));
  expect(has(name(23))).toBe(true);
  expect(location.hash).toBe('#/nodes?page=3');

  const earlier = network.requests.length;
  await goTo('nodes?sort=-name&page=2');
  expect([has(name(13)), has(name(23))]).toEqual([true, false]);
  // The place of a page in the order of the API is not looked for.
  expect(network.requests.slice(earlier).filter((path) => path.includes('fields='))).toEqual([]);
  const headers = document.querySelectorAll('[data-focus-id=sorting-control-address]');
  await user.click([...headers].at(-1)!);
  expect(location.hash).toBe('#/nodes?sort=address');
  expect([has(name(0)), has(name(9)), has(name(10))]).toEqual([true, true, false]);
  expect(document.querySelector('th[aria-sort=ascending]')?.textContent).toContain('Address');
});

test('a list counts its matches by a separate request, and states when the count may be old', async () => {
  const network = await site.at('nodes?node_type=generic');
  expect(textOf()).toContain('(23)');
  expect(network.requests.filter((path) => path.includes('total='))).toEqual([
    'GET /v1/nodes?page_size=1&node_type=generic&fields=node_id&total=true',
  ]);
  expect(textOf()).not.toContain('at most a minute old');
  // The counts of the overview, which are kept for a minute.
  await site.api('GET', '/v1/summary');
  await goTo('nodes?node_type=generic&state=never_seen');
  expect(textOf()).toContain('Nodes (23) at most a minute old');
  expect(network.requests.filter((path) => path.includes('/v1/export'))).toEqual([]);
});

test('filters are those of the contract, sent to the server, combined, and in the address', async () => {
  const network = await site.at('nodes');
  const input = screen.getByLabelText('Filter nodes');
  await user.click(input);
  const properties = screen.getAllByRole('option').map(textOf);
  for (const property of ['Type', 'Name', 'Region']) expect(properties).toContain(property);
  await user.keyboard('{Escape}');

  await filterBy('nodes', 'Region', ' = ', 'eu-central-1');
  expect(textOf()).toContain('3 matches');
  expect(network.requests.filter((path) => path.includes('region='))).toEqual([
    'GET /v1/nodes?page_size=10&region=eu-central-1&include=state',
  ]);
  expect(location.hash).toBe('#/nodes?region=eu-central-1');
  // A name is what is typed without naming a filter.
  await filterBy('nodes', name(16));
  expect(textOf()).toContain('1 match');
  expect(location.hash).toContain('name_prefix=db-016');
  expect(cellsOf(rowsOf('Nodes')).map((cells) => cells.join(' '))).toEqual([expect.stringContaining(name(16))]);
});

test('a filtered list can be shared and cleared, and parts of names and addresses suffice', async () => {
  await site.at('nodes?node_type=container');
  expect(textOf()).toContain('1 match');
  expect(has(name(14))).toBe(true);
  await goTo('nodes?node_type=remote_rds');
  expect(textOf()).toContain('No node matches');
  await user.click(button('Clear the filters'));
  expect(has(name(0))).toBe(true);

  await filterBy('nodes', 'Name', ' : ', 'B-01');
  expect(textOf()).toContain('Name : B-01');
  expect(textOf()).toContain('10 matches');
  expect(location.hash).toContain('name_contains=B-01');
  await goTo('nodes?address_contains=no-such-address');
  expect(textOf()).toContain('No node matches');
  await goTo('nodes?name_contains=B-01');
  expect(textOf()).toContain('10 matches');
});

test('a page that the server left empty is continued', async () => {
  // As a busy filter does it: nothing in the first part of the list, though there is more.
  const { next_page_token: token } = (await site.api('GET', '/v1/nodes?page_size=10&include=state')).body;
  await site.at('nodes', {
    before: (network) =>
      network.answer('GET /v1/nodes', ({ path }) =>
        path.includes('page_token=') ? undefined : { nodes: [], next_page_token: token },
      ),
  });
  expect([has(name(0)), has(name(10))]).toEqual([false, true]);
});

test('agents have one relation filter at a time, and typed text is a type or an object name', async () => {
  const { node_id: id } = await nodeOf(name(7));
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  await site.at(`agents?runs_on_node_id=${id}`);
  // The id is shown by the name of the node.
  expect(textOf()).toContain(`Runs on node = ${name(7)}`);
  await filterBy('agents', 'Insight into node', ' = ', name(1));
  expect(textOf()).toContain(`Insight into node = ${name(1)}`);
  expect(location.hash).not.toContain('runs_on_node_id');
  expect(textOf()).toContain('No agent matches');

  await goTo('agents');
  await filterBy('agents', name(7));
  expect(textOf()).toContain(`Runs on node = ${name(7)}`);
  expect(textOf()).toContain('1 match');
  await filterBy('agents', 'pmm_agent');
  expect(textOf()).toContain('Type = pmm_agent');
  await filterBy('agents', 'no such name');
  expect(textOf()).toContain('No agent type, node or service has a name that begins with "no such name".');
});

test('a list reports loading, and a failure with its request id, which can be repeated', async () => {
  let release = () => {};
  const network = await site.at('services', { before: (first) => (release = first.hold('GET /v1/services')) });
  expect(textOf()).toContain('Loading services');
  release();
  await untilQuiet();
  expect(textOf()).toContain('No services yet');

  network.refuseNext('GET /v1/nodes', 403, 'Not today.');
  await goTo('nodes?region=us');
  expect(textOf()).toContain('The nodes could not be loaded');
  expect(textOf()).toContain('Not loaded');
  expect(screen.queryByText('Loading')).toBeNull();
  expect(textOf()).toContain('Not today.');
  expect(screen.getAllByText('refused').length).toBeGreaterThan(0);
  await user.click(button('Try again'));
  expect(textOf()).toContain('No node matches');
});

test('suggestions come from the whole inventory, not from the shown page', async () => {
  const network = await site.at('nodes');
  const input = screen.getByLabelText('Filter nodes');
  await user.type(input, 'Region');
  await user.type(input, ' = ');
  await pass(1000);
  await user.click(screen.getAllByRole('option').find((option) => textOf(option).includes('far-away-1'))!);
  expect(textOf()).toContain('1 match');
  expect(has(name(22))).toBe(true);
  // The values come from the index, which is read once.
  expect(network.requests.filter((path) => /export/.test(path))).toEqual(['GET /v1/export?page_size=1000']);
});

test('a selector and a time in the address are filters, and what the console cannot show is refused with a way out', async () => {
  await site.at('nodes?selector=region%3Deu-central-1&updated_since=2020-01-01T00:00:00Z');
  expect(textOf()).toContain('region = eu-central-1');
  expect(textOf()).toContain('Changed since = 2020-01-01T00:00:00Z');
  expect(textOf()).toContain('3 matches');
  await goTo('nodes?fields=node_name&region=eu-central-1');
  expect(textOf()).toContain('The console does not support these parameters');
  await user.click(button('Show with 1 filter'));
  expect(textOf()).toContain('3 matches');
  await goTo('nodes?selector=%3D%3D');
  expect(textOf()).toContain('The nodes could not be loaded');
  await user.click(button('Clear the filters'));
  expect(has(name(0))).toBe(true);
});

test('a list that fits the page exactly has no plus, and no second page', async () => {
  const { nodes } = (await site.api('GET', '/v1/nodes?page_size=10')).body;
  const patch = (label: string | null) => ({
    operations: nodes.map(({ node_id: id }: { node_id: string }) => ({
      ...{ op: 'changeNode', id },
      body: { custom_labels: { exact: label } },
    })),
  });
  await site.write('POST', '/v1/batch', patch('yes'));
  await site.at('nodes?selector=exact%3Dyes');
  expect(textOf(document.querySelector('main')!)).toContain('(10)');
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
});

test('relative times follow the clock', async () => {
  await site.at('nodes?name_prefix=db-000');
  expect(cellsOf(rowsOf('Nodes'))[0]!.at(-1)).toMatch(/^(now|\d+ min)$/);
  await pass(3 * 3_600_000);
  expect(cellsOf(rowsOf('Nodes'))[0]!.at(-1)).toBe('3 h');
});
