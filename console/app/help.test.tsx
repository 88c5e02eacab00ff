import { screen, user } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

test('the help follows the page, and leads to the documents', async () => {
  await site.at('nodes');
  await user.click(screen.getAllByRole('button', { name: /help/i })[0]!);
  const title = (name: string) => screen.queryByRole('heading', { name, level: 2, hidden: true });
  expect(title('Nodes')).not.toBeNull();
  await user.click([...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === 'API keys')!);
  expect([title('Nodes'), title('API keys') !== null]).toEqual([null, true]);
  const link = screen.getByRole('link', { name: /^Keys, roles and rate limits/, hidden: true });
  expect(link.getAttribute('href')).toBe('/docs/keys.html');
});
