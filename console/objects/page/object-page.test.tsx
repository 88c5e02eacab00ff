import { goTo, screen, untilQuiet, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const heading = () => document.querySelector('main h1')?.textContent;

test('while an object loads, the breadcrumbs name its list, not the former page', async () => {
  const { node_id: id } = await site.addNode('slow');
  const network = await site.at('configuration/sessions');
  const crumbs = () => textOf(screen.getByRole('navigation', { name: 'Breadcrumbs' }));
  expect(crumbs()).toContain('Sessions');
  const release = network.hold(`GET /v1/nodes/${id}`);
  await goTo(`nodes/${id}`);
  expect(crumbs()).toContain('Nodes');
  expect(crumbs()).not.toContain('Sessions');
  release();
  await untilQuiet();
  expect(crumbs()).toMatch(/Nodes.*slow/);
});

test('a missing object and a missing page say so', async () => {
  await site.at('nodes/gone');
  expect(heading()).toBe('This node does not exist');
  await goTo('no/such/page');
  expect(heading()).toBe('Page not found');
});

test('an object is reloaded on request, and is not removed in a state that the user has not seen', async () => {
  const { node_id: id } = await site.addNode('changed', { address: '10.0.0.59' });
  const change = (address: string) => site.write('PATCH', `/v1/nodes/${id}`, { address });
  await site.at(`nodes/${id}`);
  expect(screen.getByText('10.0.0.59')).toBeDefined();
  await change('10.0.1.59');
  await user.click(screen.getByLabelText('Reload the node'));
  expect(textOf()).toContain('10.0.1.59');

  await change('10.0.2.59');
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove node' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('was changed by another user');
  expect(textOf()).toContain('10.0.2.59');
  expect(textOf()).toContain('History (3)');
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The node changed was removed');
  expect((await site.api('GET', `/v1/nodes/${id}`)).status).toBe(404);
});
