import { cellsOf, goTo, pageTime, pass, rowsOf, screen, untilQuiet, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';
import type { Network } from '../testing/network.tsx';
import { timeZone } from '../ui/time-format.ts';

/** As many entries as the page shows at once, and more nodes than that. */
const PAGE = 25;
const NODES = 30;

const AUDIT = 'configuration/audit';

const site = openSite();
let nodeId = '';
let viewerKey = '';

beforeAll(async () => {
  for (let count = 1; count <= NODES; count += 1) await site.addNode(`fleet-${count}`);
  ({ node_id: nodeId } = await site.addNode('db-1'));
  await site.write('PATCH', `/v1/nodes/${nodeId}`, { distro: 'debian', custom_labels: { team: 'shop' } });
  const { node_id: goneId } = await site.addNode('db-gone');
  await site.api('DELETE', `/v1/nodes/${goneId}`);
  ({ key: viewerKey } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' }));
  // Refused: the role does not allow it.
  await site.api('DELETE', `/v1/nodes/${nodeId}`, undefined, viewerKey);
});

afterEach(() => timeZone.set('local'));

const rows = (...texts: string[]) => rowsOf('Audit').filter((row) => texts.every((text) => textOf(row).includes(text)));
const counter = () => /\(.*\)/.exec(textOf(screen.getByRole('heading', { level: 1 })))?.[0];
const field = () => screen.getByRole('combobox', { name: 'Filter the audit' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const timeRange = () => button(/When|At any time/);

/** The queries of the requests for entries. */
const queriesOf = ({ requests }: Network) =>
  requests.flatMap((request) => {
    const [path, query] = request.split('?');
    return path === 'GET /v1/audit' ? [new URLSearchParams(query)] : [];
  });

/** An entry, as the server has it. */
const entry = (audit_id: string, event: string, more: object = {}) => ({
  ...{ audit_id, event, time: '2026-01-02T03:04:05Z', request_id: `r-${audit_id}` },
  ...more,
});

/** The page with these entries in place of those of the server. */
const openWith = (entries: readonly object[]) =>
  site.at(AUDIT, { before: (network) => void network.answer('GET /v1/audit', () => ({ entries })) });

/** One filter, as somebody does who uses the keyboard. */
async function filterBy(property: string, value: string): Promise<void> {
  await user.clear(field());
  await user.type(field(), `${property} = ${value}`);
  await pass(1000);
  await user.keyboard('{Enter}');
}

test('older entries are shown page by page, to the first', async () => {
  await site.at(AUDIT);
  expect(counter()).toBe(`(${PAGE}+)`);
  await user.click(button('Show older'));
  expect(textOf()).toContain('No more entries. Entries are kept for 30 days.');
  const times = rows().map((row) => row.querySelector('td:first-child time')?.getAttribute('datetime'));
  expect(times.length).toBeGreaterThan(NODES);
  expect(times).toEqual(times.toSorted().reverse());
  expect(rows('Node added', 'fleet-')).toHaveLength(NODES);
});

test('refusals have their reason, count and caller', async () => {
  await site.at(`${AUDIT}?event=call.refused`);
  expect(counter()).toBe('(1)');
  expect(rows().map((row) => textOf(row))).toEqual([
    expect.stringMatching(
      /DELETE \/v1\/nodes\/\{node_id\}.*watcher.*From 127\.0\.0\.1.*The role is not sufficient.*1 time/,
    ),
  ]);
});

test('filters by event, object and time are in the address', async () => {
  await site.at(AUDIT);
  await filterBy('Action', 'Node changed');
  expect(counter()).toBe('(1)');
  expect(textOf()).toContain('1 match');
  expect(location.hash).toBe(`#/${AUDIT}?event=node.changed`);
  await user.click(button('Clear filters'));
  expect(counter()).toBe(`(${PAGE}+)`);

  // By name, which the page knows of what it has shown.
  await filterBy('Object', 'db-gone');
  expect(counter()).toBe('(2)');
  expect(rows('Node removed')).toHaveLength(1);

  await goTo(`${AUDIT}?object_id=${nodeId}`);
  expect(counter()).toBe('(2)');
  await user.click(timeRange());
  await user.click(screen.getByRole('radio', { name: 'Last 1 hour' }));
  await user.click(button('Apply'));
  expect(location.hash).toBe(`#/${AUDIT}?object_id=${nodeId}&last=1-hour`);
  expect(counter()).toBe('(2)');

  await goTo(`${AUDIT}?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z`);
  expect(textOf()).toContain('No entry matches');
  await user.click(button('Clear the filters'));
  expect(counter()).toBe(`(${PAGE}+)`);
});

test('a caller is suggested without an entry and found by a part of its name, and an ambiguous part is refused', async () => {
  for (const name of ['reads-only', 'reads-nothing'])
    await site.write('POST', '/v1/api-keys', { name, role: 'Viewer' });
  await site.at(AUDIT);
  await user.type(field(), 'Caller = rea');
  await pass(1000);
  expect(screen.getAllByRole('option').map((option) => textOf(option))).toContainEqual(
    expect.stringContaining('reads-only'),
  );
  await user.keyboard('{Enter}');
  await pass(1000);
  expect(textOf()).toContain('Several callers have "rea" in their names: reads-nothing, reads-only.');
  expect(location.hash).toBe(`#/${AUDIT}`);
  await filterBy('Caller', 'watch');
  expect(textOf()).toContain('Caller = watcher');
  expect(counter()).toBe('(1)');
});

test('the number of matches has a plus while more of them can be loaded', async () => {
  await site.at(`${AUDIT}?event=node.added`);
  expect(textOf()).toContain(`${PAGE}+ matches`);
});

test('a caller in the address stays when another filter follows', async () => {
  await site.at(`${AUDIT}?actor_id=somebody`);
  await filterBy('Action', 'Node changed');
  expect(location.hash).toBe(`#/${AUDIT}?actor_id=somebody&event=node.changed`);
  expect(textOf()).not.toContain('No known caller');
});

test('the usual lengths of a time range are an hour, a day, a week, and all that is kept', async () => {
  await site.at(AUDIT);
  await user.click(timeRange());
  for (const name of ['Last 1 hour', 'Last 1 day', 'Last 7 days', 'Last 30 days'])
    expect(screen.getByRole('radio', { name })).toBeDefined();
});

test('a time range of a length is asked of the server by its start, and without one all entries are', async () => {
  const network = await site.at(`${AUDIT}?last=2-hour`);
  const [since] = queriesOf(network).map((query) => query.get('since'));
  expect(Math.round((pageTime() - Date.parse(since ?? '')) / 60_000)).toBe(120);
  expect(queriesOf(await site.at(AUDIT)).map((query) => query.get('since'))).toEqual([null]);
});

test('a time range is shown in the time zone of the browser, or in UTC', async () => {
  const address = `${AUDIT}?since=2026-01-02T10:00:00Z&until=2026-01-03T10:00:00Z`;
  await site.at(address);
  expect(textOf(timeRange())).toContain('January');
  expect(textOf(timeRange())).not.toContain('UTC');
  await site.at(address, { before: () => timeZone.set('utc') });
  expect(textOf(timeRange())).toMatch(/10:00:00 \(UTC\).*10:00:00 \(UTC\)/);
});

test('a filter without a match in one request can be followed further back', async () => {
  const { body: last } = await site.api('GET', '/v1/audit?event=node.changed');
  let asked = 0;
  const before = (network: Network) =>
    void network.answer('GET /v1/audit', () => {
      asked += 1;
      return asked > 5 ? last : { entries: [], next_page_token: `t${asked}` };
    });
  const network = await site.at(`${AUDIT}?event=node.changed`, { before });
  const sent = asked;
  const sizes = queriesOf(network).map((query) => query.get('page_size'));
  expect(sizes).toEqual([String(PAGE), '250', '250', '250', '250']);
  expect(rowsOf('Audit').map((row) => textOf(row))).not.toContainEqual(expect.stringContaining('db-1'));
  expect(sent).toBe(5);
  await user.click(button('Continue search'));
  expect(asked).toBe(sent + 1);
  expect(counter()).toBe('(1)');
  expect(textOf()).toContain('No more matches.');
});

test('an entry is shown with the present name of its object, and a dash without one', async () => {
  const entries = [
    entry('1', 'node.changed', { subject: { kind: 'node', id: nodeId } }),
    entry('2', 'settings.changed'),
    entry('3', 'node.removed', { subject: { kind: 'node', id: '00000000-0000-4000-8000-000000000000' } }),
    entry('4', 'user.added', { subject: { kind: 'user', id: 'u-7' } }),
  ];
  const network = await openWith(entries);
  const shown = cellsOf(rowsOf('Audit')).map(([, , object]) => object);
  expect(shown).toEqual(['db-1 Node', '-', 'node 00000000 Node', 'u-7 User']);
  // The names are there before the entries.
  const asked = network.requests.filter((request) => request.startsWith('GET /v1/nodes'));
  expect(asked).toHaveLength(1);
});

test('an entry has its revision and its fields, and leads to its object unless that was removed', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  await openWith([
    entry('1', 'node.changed', { subject: { kind: 'node', id, name: 'stays' }, revision: 7 }),
    entry('2', 'node.removed', { subject: { kind: 'node', id, name: 'left' } }),
    entry('3', 'api_key.added', { subject: { kind: 'api_key', id: 'k', name: 'key' }, after: { role: 'Viewer' } }),
    entry('4', 'session.ended'),
  ]);
  const shown = cellsOf(rowsOf('Audit'));
  expect(shown.map(([, what]) => what)).toEqual([
    ...['Node changed Revision 7', 'Node removed', 'API key added', 'Session ended'],
  ]);
  expect(screen.getByRole('link', { name: 'stays' }).getAttribute('href')).toBe(`#/nodes/${id}`);
  expect(screen.queryByRole('link', { name: 'left' })).toBeNull();
  const [, , added, ended] = shown.map(([, , , , details]) => details);
  expect(added).toMatch(/Role.*Viewer/);
  expect(ended).toBe('-');
});

test('an entry leads to its object of each kind, and to no object of another kind', async () => {
  const named = ['node', 'service', 'agent', 'user'].map((kind) =>
    entry(kind, `${kind}.added`, { subject: { kind, id: `${kind}-1`, name: `the ${kind}` } }),
  );
  await openWith(named);
  const links = screen.getAllByRole('link').filter((link) => textOf(link).startsWith('the '));
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    ...['#/nodes/node-1', '#/services/service-1', '#/agents/agent-1'],
  ]);
});

test('entries are shown when the names of their objects are loaded', async () => {
  let release = () => {};
  await site.at(AUDIT, {
    before: (network) => {
      network.answer('GET /v1/audit', () => ({
        entries: [entry('1', 'node.changed', { subject: { kind: 'node', id: nodeId } })],
      }));
      release = network.hold('GET /v1/nodes');
    },
  });
  expect(textOf()).toContain('Loading entries');
  release();
  await untilQuiet();
  expect(cellsOf(rowsOf('Audit')).map(([, , object]) => object)).toEqual(['db-1 Node']);
});

test('the changes of one request are counted by kind, and the first 50 objects are named', async () => {
  const nodes = Array.from({ length: 51 }, (_, index) => ({
    ...entry(`${index}`, 'node.added', { subject: { kind: 'node', id: `n-${index}`, name: `many-${index}.` } }),
    request_id: 'r',
  }));
  await openWith([...nodes, { ...entry('51', 'node.added'), request_id: 'r' }]);
  expect(rows('52 objects added', 'by one request')).toHaveLength(1);
  await user.click(button('51 nodes, 1 object'));
  const [row] = rows();
  expect(textOf(row!)).toContain('many-49.');
  expect(textOf(row!)).not.toContain('many-50.');
  expect(textOf(row!)).toContain('and 2 more');
});

test('a refusal without a count is one', async () => {
  await openWith([entry('1', 'call.refused', { reason: 'role' })]);
  expect(cellsOf(rowsOf('Audit')).map(([, , , , details]) => details)).toEqual(['The role is not sufficient 1 time']);
});

test('refusals of a minute are counted, with the time between the first and the last', async () => {
  const refused = (audit_id: string, count: number, seconds: number, more: object = { reason: 'rate_limit' }) =>
    entry(audit_id, 'call.refused', {
      ...{ count, first_time: '2026-01-02T03:04:05.000Z', ...more },
      last_time: new Date(Date.parse('2026-01-02T03:04:05Z') + seconds * 1000).toISOString(),
    });
  await openWith([refused('1', 3, 4.004), refused('2', 2, 0), refused('3', 1, 0), refused('4', 1, 0, {})]);
  expect(cellsOf(rowsOf('Audit')).map(([, , , , details]) => details)).toEqual([
    ...['Too many requests 3 times within 5 s', 'Too many requests 2 times within 1 s', 'Too many requests 1 time'],
    '- 1 time',
  ]);
});

test('the button that reloads the audit is busy while older entries are loaded, and not before the first', async () => {
  const isBusy = () => button('Reload the audit log').getAttribute('aria-disabled') === 'true';
  let release = () => {};
  const network = await site.at(AUDIT, { before: (paused) => void (release = paused.hold('GET /v1/audit')) });
  expect(isBusy()).toBe(false);
  release();
  await untilQuiet();
  expect(isBusy()).toBe(false);
  release = network.hold('GET /v1/audit');
  await user.click(button('Show older'));
  expect(isBusy()).toBe(true);
  release();
  await untilQuiet();
  expect(isBusy()).toBe(false);
});

test('the button that reloads the audit is busy while entries follow a single one', async () => {
  let asked = 0;
  let end = () => {};
  const network = await site.at(AUDIT, {
    before: (early) => {
      end = early.answer('GET /v1/audit', () => {
        asked += 1;
        return { entries: asked === 1 ? [entry('1', 'settings.changed')] : [], next_page_token: `t${asked}` };
      });
    },
  });
  expect(counter()).toBe('(1+)');
  end();
  const release = network.hold('GET /v1/audit');
  await user.click(button(/^(Show older|Continue search)$/));
  expect(button('Reload the audit log').getAttribute('aria-disabled')).toBe('true');
  release();
  await untilQuiet();
});

test('the page has texts while it loads, when it is empty, and when it fails', async () => {
  let release = () => {};
  const network = await site.at(AUDIT, { before: (paused) => void (release = paused.hold('GET /v1/audit')) });
  expect(textOf()).toContain('Loading entries');
  release();
  await untilQuiet();
  expect(counter()).toBe(`(${PAGE}+)`);
  const end = network.answer('GET /v1/audit', () => ({ entries: [] }));
  await user.click(button('Reload the audit log'));
  expect(textOf()).toContain('No entries in the last 30 days.');
  end();
  network.refuseNext('GET /v1/audit', 400, 'It broke.');
  await user.click(button('Reload the audit log'));
  expect(textOf()).toContain('The entries could not be loaded');
  await user.click(button('Try again'));
  expect(counter()).toBe(`(${PAGE}+)`);
});

test('an invalid filter in the address has a message', async () => {
  await site.at(`${AUDIT}?event=node.eaten`);
  expect(textOf()).toContain('The entries could not be loaded');
});

test('other roles than Admin read the required role', async () => {
  await site.at(AUDIT, { key: viewerKey });
  expect(textOf()).toContain('This requires the role Admin');
});

// Last: its entries fill the first page of the audit.
test('an object is found by the start of its name without an entry, and an ambiguous start is refused', async () => {
  for (const name of ['silent-one', 'silent-two']) await site.addNode(name, { address: `${name}.example` });
  const { node_id: other } = await site.addNode('changing');
  for (let count = 0; count < PAGE; count += 1)
    await site.write('PATCH', `/v1/nodes/${other}`, { az: `zone-${count}` });
  await site.at(AUDIT);
  await filterBy('Object', 'silent');
  expect(textOf()).toContain('Several objects have "silent" in their names: silent-one, silent-two.');
  expect(location.hash).toBe(`#/${AUDIT}`);
  await filterBy('Object', 'silent-o');
  expect(textOf()).toContain('Object = silent-one');
  expect(counter()).toBe('(1)');
});

test('an import is one row, which reads the names of its objects when it is opened, and earlier entries follow', async () => {
  const addNodes = Array.from({ length: 30 }, (_, index) => ({
    op: 'addNode',
    body: { node_type: 'generic', node_name: `imported-${index}`, address: `10.8.0.${index}` },
  }));
  const agent = { agent_type: 'external_exporter', runs_on_node_id: nodeId, scheme: 'http' };
  const addAgents = Array.from({ length: 5 }, (_, index) => ({
    op: 'addAgent',
    body: { ...agent, listen_port: 9200 + index },
  }));
  await site.write('POST', '/v1/batch', { operations: [...addNodes, ...addAgents] });
  const network = await site.at('configuration/audit');
  const imports = rows('35 objects added', 'by one request');
  expect(imports).toHaveLength(1);
  expect(rowsOf('Audit').length).toBeGreaterThan(2);
  const namesAsked = () => network.requests.filter((request) => request.startsWith('GET /v1/agents'));
  expect([textOf(imports[0]!).includes('imported-29'), namesAsked()]).toEqual([false, []]);
  await user.click(within(imports[0]!).getByRole('button', { name: '5 agents, 30 nodes' }));
  expect(textOf(imports[0]!)).toContain('external_exporter on db-1');
  expect(namesAsked().length).toBeGreaterThan(0);
});
