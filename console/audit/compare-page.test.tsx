import { browser } from '../testing/browser.tsx';
import { cellsOf, goTo, pageTime, rowsOf, screen, textOf, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

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

test('a row for each changed field and each added or removed object, by its name; what changed back is in none', async () => {
  await site.at(address());
  expect(textOf()).toContain('3 objects: 1 added, 1 changed, 1 removed.');
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

test('above the read limit it compares the newest entries and states since when', async () => {
  const sizes: (string | null)[] = [];
  await site.at(address(), {
    before: (network) =>
      void network.answer('GET /v1/audit', ({ path }) => {
        const size = Number(new URLSearchParams(path.split('?')[1]).get('page_size'));
        sizes.push(String(size));
        const entry = (index: number) => ({
          ...{ audit_id: `${sizes.length}-${index}`, request_id: 'r', event: 'node.added', revision: 1 },
          time: '2026-03-02T09:30:00.000Z',
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
  expect(cellsOf(rows())[0]!.join(' ')).toContain('20,000 nodes');
});

test('times before the oldest entry have a note, impossible ones a message, and other roles than Admin read the role', async () => {
  await site.at(`${COMPARE}?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
  expect(textOf()).toContain('Entries are kept for 30 days.');
  expect(textOf()).toContain('No differences between the two times');
  await goTo(`${COMPARE}?from=${to}&to=${from}`);
  expect(textOf()).toContain('The second time must be after the first one.');
  await goTo(`${COMPARE}?from=yesterday&to=${from}`);
  expect(textOf()).toContain('The changes could not be loaded');
  await site.at(address(), { key: viewerKey });
  expect(textOf()).toContain('This requires the role Admin');
});

test('a kind and a caller in the address are asked of the server: nothing else is read', async () => {
  const { actor } = (await site.api('GET', `/v1/audit?since=${from}&until=${to}&page_size=1`)).body.entries[0];
  const network = await site.at(`${address()}&kind=node&actor_id=${actor.id}`);
  const asked = network.requests.filter((path) => path.startsWith('GET /v1/audit'));
  const events = asked.map((path) => new URLSearchParams(path.split('?')[1]).get('event'));
  expect(events.toSorted()).toEqual(['node.added', 'node.changed', 'node.removed', 'node.restored']);
  for (const path of asked) expect(path).toContain(`actor_id=${encodeURIComponent(actor.id)}`);
  expect(textOf()).toContain('3 objects: 1 added, 1 changed, 1 removed.');
  await goTo(`${address()}&actor_id=another`.replace('#/', ''));
  expect(textOf()).toContain('No difference matches the filters');
});
