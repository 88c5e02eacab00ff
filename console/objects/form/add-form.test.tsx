import { screen, textOf } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const type = () => textOf(screen.getByRole('button', { name: /^Type/ }));

test('a form begins with the type of its address, or with the first one', async () => {
  await site.at('nodes/add');
  expect(type()).toContain('generic');
  await site.at('nodes/add?node_type=container');
  expect(type()).toContain('container');
  await site.at('services/add?service_type=valkey&cluster=pxc');
  expect(type()).toContain('valkey');
  expect(screen.getByDisplayValue('pxc')).toBeDefined();
});

test('a caller that may not add reads the required role', async () => {
  await site.at('nodes/add', { key: site.inventory.keys.Viewer });
  expect(screen.queryByRole('button', { name: /^Type/ })).toBeNull();
  expect(textOf()).toContain('Editor');
});
