import { cellsOf, rowsOf } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';
import { listPreferences } from './list-preferences.tsx';

const site = openSite();

/** Shows these columns of a list, which are hidden by default or may be, beside the others. */
function show(folder: string, ...ids: string[]): void {
  const store = listPreferences(folder);
  const former = store.get();
  beforeAll(() => store.set({ ...former, columns: ids.map((id) => ({ id, visible: true })) }));
  afterAll(() => store.set(former));
}

show('nodes', 'name', 'region', 'az', 'distro');
show('services', 'name', 'node_ids', 'cluster', 'environment', 'region', 'az', 'version', 'port', 'address');
show('agents', 'agent', 'place', 'insights', 'region', 'az', 'cluster', 'environment', 'version', 'port');

/** The cells of the only row by their headings, without those that every object has. */
async function row(folder: string, table: string): Promise<Record<string, string | undefined>> {
  await site.at(folder, { width: 2500 });
  const headings = [...document.querySelectorAll('thead')].at(0)!.querySelectorAll('th');
  const [cells = []] = cellsOf(rowsOf(table));
  return Object.fromEntries([...headings].map((heading, index) => [heading.textContent, cells[index]]));
}

const dashes = (...headings: string[]) => Object.fromEntries(headings.map((heading) => [heading, '-']));

test('a list shows a dash for each absent value', async () => {
  const node = { node_type: 'generic', node_name: 'bare', address: '10.0.0.1' };
  const { node_id: id } = await site.write('POST', '/v1/nodes', node);
  expect(await row('nodes', 'Nodes')).toMatchObject(dashes('Region', 'Zone', 'Distribution'));
  await site.write('POST', '/v1/services', { service_type: 'external', service_name: 'bare', group: 'g' });
  expect(await row('services', 'Services')).toMatchObject(
    dashes('Runs on', 'Cluster', 'Environment', 'Region', 'Zone', 'Version', 'Port', 'Address'),
  );
  await site.write('POST', '/v1/agents', { agent_type: 'pmm_agent', runs_on_node_id: id });
  const cells = await row('agents', 'Agents');
  expect(cells).toMatchObject(
    dashes('Gives insight into', 'Region', 'Zone', 'Cluster', 'Environment', 'Version', 'Port'),
  );
  expect(cells['Runs on']).toBe('bare');
});
