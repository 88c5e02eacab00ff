import { parseDashboardLinks } from '../../../functions/domain/fields/dashboard-links.ts';
import { goTo, screen } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const NODE = 'https://grafana.example.com/d/node?var-node=${node_name}';
const SERVICE = 'https://grafana.example.com/d/mysql?var-service=${service_name}&var-cluster=${cluster}';
const CLUSTER = 'https://grafana.example.com/d/cluster?var-cluster=${cluster}';

const site = openSite();

const dashboards = parseDashboardLinks(`Node overview=${NODE},MySQL=${SERVICE},All hosts=${CLUSTER}`);

/** The addresses of the dashboards that the page links to, by their names. */
const links = () =>
  Object.fromEntries(
    screen
      .queryAllByRole('link', { name: /^(Node overview|MySQL|All hosts)/ })
      .map((link) => [/^(Node overview|MySQL|All hosts)/.exec(link.textContent)![0], link.getAttribute('href')]),
  );

test('the pages of objects link to the dashboards that are about them, with encoded names', async () => {
  const { node_id: id } = await site.addNode('db 1&x=y');
  const { service_id: service } = await site.write('POST', '/v1/services', {
    ...{ service_type: 'mysql', service_name: 'orders', node_ids: [id], address: '10.0.0.1', port: 3306 },
    cluster: 'pxc',
  });
  const { body: version } = await site.api('GET', '/v1/version');
  await site.at(`nodes/${id}`, {
    before: (network) => void network.answer('GET /v1/version', () => ({ ...version, dashboards })),
  });
  expect(links()).toEqual({ 'Node overview': 'https://grafana.example.com/d/node?var-node=db%201%26x%3Dy' });
  expect(screen.getByRole('link', { name: /^Node overview/ }).getAttribute('rel')).toContain('noopener');
  await goTo(`services/${service}`);
  expect(links()).toEqual({
    MySQL: 'https://grafana.example.com/d/mysql?var-service=orders&var-cluster=pxc',
    'All hosts': 'https://grafana.example.com/d/cluster?var-cluster=pxc',
  });
  // A cluster has its name alone.
  await goTo('clusters/pxc');
  expect(links()).toEqual({ 'All hosts': 'https://grafana.example.com/d/cluster?var-cluster=pxc' });
});
