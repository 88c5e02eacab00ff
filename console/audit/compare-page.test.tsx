import { MAX_CHANGE_DAYS } from '../../functions/domain/records/retention.ts';
import { browser } from '../testing/browser.tsx';
import type { Network } from '../testing/network.tsx';
import { cellsOf, goTo, pageTime, rowsOf, screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';
import { momentText } from '../ui/time-format.ts';

const COMPARE = 'configuration/audit/compare';

const site = openSite();
let viewerKey = '';
/** Two times with changes before, between and after them. */
let [from, to] = ['', ''];

beforeAll(async () => {
  const { clock } = site.inventory;
  let now = pageTime() - 3_600_000;
  /** A minute later. */
  const later = () => {
    now += 60_000;
    clock.now = new Date(now);
    return clock.now.toISOString();
  };
  later();
  const change = (id: string, fields: object) => site.write('PATCH', `/v1/nodes/${id}`, fields);
  const ids: string[] = [];
  for (const name of ['db-10', 'db-back', 'db-gone', 'db-9'])
    ids.push((await site.addNode(name, { az: 'zone-a', distro: 'debian', address: `${name}.example` })).node_id);
  const [db = '', back = '', gone = '', old = ''] = ids;
  await change(old, { az: 'zone-before' });
  from = later();
  later();
  await change(db, { az: 'zone-b', custom_labels: { team: '=shop' } });
  await change(db, { az: 'zone-c', distro: 'ubuntu' });
  await change(db, { distro: 'debian' });
  await change(back, { az: 'zone-b' });
  await change(back, { az: 'zone-a' });
  await site.api('DELETE', `/v1/nodes/${gone}`);
  const { node_id: short } = await site.addNode('db-short');
  await site.api('DELETE', `/v1/nodes/${short}`);
  await site.write('POST', '/v1/reconcile', {
    mode: 'apply',
    scope: { selector: 'tier=imported' },
    desired: {
      nodes: [{ node_type: 'generic', node_name: 'web-1', address: '10.0.0.9', custom_labels: { tier: 'imported' } }],
      services: [],
      agents: [],
    },
  });
  to = later();
  later();
  await change(old, { az: 'zone-after' });
  await change(db, { az: 'zone-after' });
  clock.now = undefined;
  ({ key: viewerKey } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' }));
});

const rows = () => rowsOf('Compare two times');
const queryOf = () => Object.fromEntries(new URLSearchParams(location.hash.split('?')[1]));
const address = () => `${COMPARE}?from=${from}&to=${to}`;

/** The first four cells of each row. */
const shown = () => cellsOf(rows()).map((cells) => cells.slice(0, 4));

async function choose(label: string, value: string): Promise<void> {
  await user.click(screen.getByRole('button', { name: new RegExp(`^${label} `) }));
  await user.click(screen.getByRole('option', { name: value }));
}

/** An entry about an object, as the server has it. */
const entryOf = (event: string, id: string, time: string, more: object) => ({
  ...{ audit_id: `${event} ${id}`, request_id: 'r', event, time },
  ...{ subject: { kind: event.split('.')[0], id }, ...more },
});

test('a row for each changed field and each added or removed object, by its name; what changed back is in none', async () => {
  await site.at(address());
  expect(textOf()).toContain('3 objects: 1 added, 1 changed, 1 removed.');
  expect(textOf()).not.toContain('Entries are kept for');
  const headers = screen.getAllByRole('columnheader').map((header) => textOf(header));
  expect(headers).toEqual(['Object', 'Field', momentText(from), momentText(to), 'Last change']);
  expect(textOf(screen.getByRole('button', { name: /When|At any time/ }))).toContain('2026');
  expect(cellsOf(rows())[0]![4]).toMatch(/^admin/);
  const objectLinks = ['db-10', 'db-gone'].map((name) => screen.queryAllByRole('link', { name }).length);
  expect(objectLinks).toEqual([2, 0]);
  const all = shown();
  expect(all.filter(([object]) => object!.startsWith('db-10'))).toEqual([
    ['db-10 Node, changed', 'Availability zone', 'zone-a', 'zone-c'],
    ['db-10 Node, changed', 'Label team', '-', '=shop'],
  ]);
  expect(all.filter(([object]) => object!.startsWith('db-gone'))).toEqual([
    ['db-gone Node, removed', 'All', expect.stringMatching(/^\d fields.*Distro debian/), '-'],
  ]);
  expect(all.filter(([object]) => object!.startsWith('web-1'))).toEqual([
    ['web-1 Node, added', 'All', '-', expect.stringMatching(/^\d fields.*Label tier imported/)],
  ]);
  expect([...new Set(all.map(([object]) => object!.split(' ')[0]))]).toEqual(['db-10', 'db-gone', 'web-1']);
  await user.click(screen.getByRole('link', { name: 'Audit entries of db-10' }));
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toContain('(3)');
});

test('filters by kind and field are in the address, and the CSV file contains the filtered rows', async () => {
  await site.at(address());
  await choose('Kind', 'Service');
  expect(textOf()).toContain('No difference matches the filters');
  await choose('Kind', 'Node');
  expect(textOf(screen.getByRole('button', { name: /^Kind / }))).toContain('Node');
  await choose('Field', 'Label team');
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toContain('(1)');
  expect(queryOf()).toEqual({ from, to, kind: 'node', field: 'Label team' });

  await user.click(screen.getByRole('button', { name: 'Download as CSV' }));
  const [file, ...none] = browser.takeDownloads();
  expect([file?.name, none]).toEqual(['changes.csv', []]);
  const [header, row, ...others] = (await file!.text()).split('\r\n');
  expect(header).toBe('kind,id,name,action,field,before,after,last_changed_by,last_changed_at,request_id');
  expect(row).toMatch(/^node,[0-9a-f-]+,db-10,changed,custom_labels\.team,,'=shop,admin,/);
  expect(others).toEqual(['']);
});

test('audit and overview lead to the page, and the address gets missing times', async () => {
  await site.at(`configuration/audit?since=${from}&until=${to}`);
  await user.click(screen.getByRole('link', { name: 'Compare two times' }));
  expect(textOf()).toContain('1 added, 1 changed, 1 removed.');
  expect(decodeURIComponent(location.hash)).toBe(`#/${COMPARE}?from=${from}&to=${to}`);

  await goTo('overview');
  await user.click(screen.getByRole('link', { name: 'Compare two times' }));
  // All objects, each with its last values, except those that are gone.
  expect(textOf()).toContain('4 added.');
  const query = queryOf();
  expect(Date.parse(query['to']!) - Date.parse(query['from']!)).toBe(86_400_000);
});

test('a time that lacks in the address is added to it beside the other', async () => {
  await site.at(`${COMPARE}?from=${from}`);
  expect(queryOf()).toEqual({ from, to: expect.stringMatching(/^\d{4}-/) });
  await site.at(`${COMPARE}?to=${to}`);
  const dayBefore = Date.parse(queryOf()['from']!) - (Date.parse(to) - 86_400_000);
  expect([queryOf()['to'], dayBefore >= 0 && dayBefore < 1000]).toEqual([to, true]);
});

test('a narrow page has one column', async () => {
  await site.at(address(), { width: 600 });
  expect(screen.getAllByRole('columnheader').map((header) => textOf(header))).toEqual(['Object']);
});

test('a page has fifty rows, and more than ten fields can be searched', async () => {
  let count = 0;
  const custom_labels = () => Object.fromEntries(Array.from({ length: count }, (_, index) => [`label-${index}`, 'a']));
  const before = (network: Network) =>
    void network.answer('GET /v1/audit', () => ({
      entries: [
        entryOf('node.changed', '00000000-0000-4000-8000-000000000001', from, {
          ...{ before: { custom_labels: {} }, after: { custom_labels: custom_labels() } },
        }),
      ],
    }));
  const searches: number[] = [];
  for (count of [10, 11, 51]) {
    await site.at(address(), { before });
    await user.click(screen.getByRole('button', { name: /^Field / }));
    searches.push(screen.queryAllByRole('combobox', { name: 'Find a field' }).length);
  }
  expect(searches).toEqual([0, 1, 1]);
  expect(rows()).toHaveLength(50);
});

test('only objects without a name in the entries are read, and an agent is named by its type and id', async () => {
  const [db, other, agent, process] = [1, 2, 3, 4].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
  const sides = { before: { az: 'a' }, after: { az: 'b' } };
  const network = await site.at(address(), {
    before: (early) =>
      void early.answer('GET /v1/audit', () => ({
        entries: [
          entryOf('node.changed', db!, from, sides),
          entryOf('node.changed', other!, from, { ...sides, subject: { kind: 'node', id: other, name: 'db-named' } }),
          entryOf('agent.added', agent!, from, { after: { agent_type: 'vm_agent' } }),
          entryOf('agent.changed', process!, from, { before: { disabled: false }, after: { disabled: true } }),
        ],
      })),
  });
  expect(shown().map(([object]) => object)).toEqual([
    ...['agent 40000000 Agent, changed', 'db-named Node, changed', 'node 10000000 Node, changed'],
    'vm_agent 30000000 Agent, added',
  ]);
  const selectors = network.requests.flatMap(
    (request) => new URLSearchParams(request.split('?')[1]).get('selector') ?? [],
  );
  expect(selectors).toEqual([`node_id in (${db})`, `agent_id in (${process})`]);
});

test('of a kind with too many entries, the comparison begins where all its events were read, and names are limited', async () => {
  const newest = Date.parse('2026-03-02T09:30:00.000Z');
  const read = new Map<string, number>();
  /** Seconds between two entries. */
  const steps: Record<string, number> = { 'node.added': 1, 'node.changed': 2 };
  const fields: Record<string, object> = {
    'node.added': { after: { node_name: 'added' } },
    'node.changed': { before: { az: 'a' }, after: { az: 'b' } },
  };
  const network = await site.at(`${address()}&kind=node`, {
    before: (early) => {
      early.answer('GET /v1/nodes', () => ({ nodes: [] }));
      early.answer('GET /v1/audit', ({ path }) => {
        const query = new URLSearchParams(path.split('?')[1]);
        const event = query.get('event')!;
        const step = steps[event];
        if (step === undefined) return { entries: [] };
        const start = read.get(event) ?? 0;
        read.set(event, start + Number(query.get('page_size')));
        const entries = Array.from({ length: Number(query.get('page_size')) }, (_, index) => {
          const id = `${event === 'node.added' ? 'a' : 'c'}-${start + index}`;
          const subject = { kind: 'node', id, ...(event === 'node.added' && { name: id }) };
          const time = new Date(newest - (start + index) * step * 1000).toISOString();
          return entryOf(event, id, time, { ...fields[event], subject });
        });
        return { entries, next_page_token: 't' };
      });
    },
  });
  expect(textOf()).toContain('30,000 objects: 20,000 added, 10,000 changed.');
  const readFrom = new Date(newest - 19_999_000).toISOString();
  expect(document.querySelector(`main time[datetime="${readFrom}"]`)).not.toBeNull();
  const ids = network.requests.flatMap((request) => {
    const selector = new URLSearchParams(request.split('?')[1]).get('selector') ?? '';
    return selector.split(',').filter((text) => text.includes('c-'));
  });
  expect(ids).toHaveLength(2000);
});

test('above the read limit it compares the newest entries and states since when', async () => {
  const sizes: (string | null)[] = [];
  /** Each entry is a second older than the one before. */
  const timeOf = (index: number) => new Date(Date.parse('2026-03-02T09:30:00.000Z') - index * 1000).toISOString();
  await site.at(address(), {
    before: (network) =>
      void network.answer('GET /v1/audit', ({ path }) => {
        const size = Number(new URLSearchParams(path.split('?')[1]).get('page_size'));
        sizes.push(String(size));
        const entry = (index: number) => ({
          ...{ audit_id: `${sizes.length}-${index}`, request_id: 'r', event: 'node.added', revision: 1 },
          time: timeOf(300 * (sizes.length - 1) + index),
          subject: { kind: 'node', id: `n-${sizes.length}-${index}`, name: `node-${sizes.length}-${index}` },
          after: { node_name: `node-${sizes.length}-${index}` },
        });
        const entries = Array.from({ length: Math.min(size, 300) }, (_, index) => entry(index));
        return { entries, next_page_token: 't' };
      }),
  });
  expect(textOf()).toContain('The comparison is not complete');
  expect(textOf()).toContain('Between the two times are more than 20,000 entries.');
  expect(textOf()).toContain('20,000 objects: 20,000 added.');
  expect([sizes.length, sizes[0], sizes.at(-1)]).toEqual([67, '1000', '200']);
  // All by one request.
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toContain('(1)');
  const [object, , , after] = cellsOf(rows())[0]!;
  expect([object, after]).toEqual([expect.stringContaining('20,000 nodes'), '20,000 objects']);
  expect(screen.queryByRole('link', { name: /^Audit entries of/ })).toBeNull();
  expect(document.querySelector(`main time[datetime="${timeOf(19_999)}"]`)).not.toBeNull();
  await user.click(screen.getByRole('button', { name: '20,000 nodes' }));
  expect(textOf(rows()[0]!)).toContain('and 19,950 more');
});

test('times before the oldest entry have a note, impossible ones a message, and other roles than Admin read the role', async () => {
  await site.at(`${COMPARE}?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
  expect(textOf()).toContain('Entries are kept for 30 days.');
  expect(textOf()).toContain('No differences between the two times');
  await goTo(`${COMPARE}?from=${to}&to=${to}`);
  expect(textOf()).toContain('The second time must be after the first one.');
  await goTo(address());
  expect(textOf()).not.toContain('The second time must be after the first one.');
  await goTo(`${COMPARE}?from=${to}&to=${from}`);
  expect(textOf()).toContain('The second time must be after the first one.');
  await goTo(`${COMPARE}?from=yesterday&to=${from}`);
  expect(textOf()).toContain('The changes could not be loaded');
  await site.at(address(), { key: viewerKey });
  expect(textOf()).toContain('This requires the role Admin');
});

test('times are too old from the first millisecond before the days that the server keeps entries', async () => {
  const { body: version } = await site.api('GET', '/v1/version');
  const oldest = pageTime() - MAX_CHANGE_DAYS * 86_400_000;
  const before = (network: Network) => {
    network.answer('GET /v1/version', () => ({ ...version, retention_days: MAX_CHANGE_DAYS }));
    network.answer('GET /v1/audit', () => ({ entries: [] }));
  };
  const noteFrom = async (time: number) => {
    await site.at(`${COMPARE}?from=${new Date(time).toISOString()}&to=${to}`, { before });
    return textOf().includes(`Entries are kept for ${MAX_CHANGE_DAYS} days.`);
  };
  // Enough for the time in which the page opens.
  expect([await noteFrom(oldest - 1), await noteFrom(oldest + 600_000)]).toEqual([true, false]);
});

test('a kind and a caller in the address are asked of the server: nothing else is read', async () => {
  const { actor } = (await site.api('GET', `/v1/audit?since=${from}&until=${to}&page_size=1`)).body.entries[0];
  const network = await site.at(`${address()}&kind=node&actor_id=${actor.id}`);
  const asked = network.requests.filter((path) => path.startsWith('GET /v1/audit'));
  const events = asked.map((path) => new URLSearchParams(path.split('?')[1]).get('event'));
  expect(events.toSorted()).toEqual(['node.added', 'node.changed', 'node.removed', 'node.restored']);
  for (const path of asked) expect(path).toContain(`actor_id=${encodeURIComponent(actor.id)}`);
  expect(textOf()).toContain('3 objects: 1 added, 1 changed, 1 removed.');
  await goTo(`${address()}&kind=node&actor_id=`);
  expect(textOf()).toContain('3 objects: 1 added, 1 changed, 1 removed.');
  await goTo(`${address()}&actor_id=another`.replace('#/', ''));
  expect(textOf()).toContain('No difference matches the filters');
});
