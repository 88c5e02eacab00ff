import { expectAccessible, expectClean, openSite, type Site } from './browser.ts';

const NODE = 'https://grafana.example.com/d/node?var-node=${node_name}';
const SERVICE = 'https://grafana.example.com/d/mysql?var-service=${service_name}&var-cluster=${cluster}';
const CLUSTER = 'https://grafana.example.com/d/cluster?var-cluster=${cluster}';

let site: Site;

beforeAll(async () => {
  site = await openSite({ DASHBOARDS: `Node overview=${NODE},MySQL=${SERVICE},All hosts=${CLUSTER}` });
});
afterAll(() => site.close());

test('the pages of objects link to the dashboards that are about them, with encoded names', async () => {
  const { node_id: id } = await site.addNode('db 1&x=y');
  const tab = await site.at(`nodes/${id}`);
  const { page } = tab;
  const link = page.getByRole('link', { name: /^Node overview/ });
  expect(await link.getAttribute('href')).toBe('https://grafana.example.com/d/node?var-node=db%201%26x%3Dy');
  expect(await link.getAttribute('rel')).toContain('noopener');
  expect(await page.getByRole('link', { name: /^MySQL/ }).count()).toBe(0);
  await expectAccessible(tab);

  const { service_id: service } = await site.write('POST', '/v1/services', {
    service_type: 'mysql',
    service_name: 'orders',
    node_ids: [id],
    address: '10.0.0.1',
    port: 3306,
    cluster: 'pxc',
  });
  await page.goto(`${site.server.base}/#/services/${service}`);
  await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: /^MySQL/ }).getAttribute('href')).toBe(
    'https://grafana.example.com/d/mysql?var-service=orders&var-cluster=pxc',
  );

  // A cluster has its name alone.
  await page.goto(`${site.server.base}/#/clusters/pxc`);
  // The page of the service has this link, too.
  await page.getByRole('heading', { name: 'pxc', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: /^All hosts/ }).getAttribute('href')).toBe(
    'https://grafana.example.com/d/cluster?var-cluster=pxc',
  );
  expect(await page.getByRole('link', { name: /^(MySQL|Node overview)/ }).count()).toBe(0);
  await expectAccessible(tab);
  expectClean(tab);
});
