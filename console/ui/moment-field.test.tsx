import { screen, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

test('the calendar of a date has its name', async () => {
  const { node_id: id } = await site.addNode('db-1');
  await site.at(`nodes/${id}`);
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await user.click(screen.getByRole('button', { name: 'At a date and time' }));
  await user.click(screen.getByRole('button', { name: /^Ends: calendar/ }));
  expect(screen.getByRole('dialog', { name: 'Ends: calendar' })).not.toBe(
    screen.getByRole('dialog', { name: 'Silence' }),
  );
});
