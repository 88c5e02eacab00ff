import { expectAccessible, expectClean, expectNoSidewaysScroll, openSite, type Site, untilFocused } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const views = [
  ['1440 px', { viewport: { width: 1440, height: 900 } }],
  ['768 px, dark', { viewport: { width: 768, height: 1024 }, colorScheme: 'dark' }],
  ['390 px', { viewport: { width: 390, height: 844 } }],
  ['200 % zoom of 1280 px, dark', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: 'dark' }],
] as const;

test.each(views)('%s: each page has a help panel, which the keyboard opens and closes', async (_, options) => {
  const tab = await site.at('nodes', options);
  const { page } = tab;
  const open = page.getByRole('button', { name: /help/i }).first();
  await open.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nodes', level: 2 }).waitFor();
  await page.getByRole('link', { name: 'All documents' }).waitFor();
  await expectAccessible(tab);
  await expectNoSidewaysScroll(tab);
  await untilFocused(tab, page.getByRole('button', { name: 'Close help panel' }));
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'All documents' }).waitFor({ state: 'hidden' });
  expectClean(tab);
});

test('the panel follows the page, and leads to the documents', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.getByRole('button', { name: /help/i }).first().click();
  await page.getByRole('heading', { name: 'Nodes', level: 2 }).waitFor();
  await page.getByRole('link', { name: 'API keys', exact: true }).click();
  await page.getByRole('heading', { name: 'API keys', level: 2 }).waitFor();
  const link = page.getByRole('link', { name: /^Keys, roles and rate limits/ });
  await page.goto(`${site.server.base}${(await link.getAttribute('href')) ?? ''}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs/keys.html');
  expectClean(tab);
});

test.each(views)('%s: the documents are pages that axe accepts, without scripts', async (_, options) => {
  const tab = await site.open('/docs/', options);
  const { page } = tab;
  for (const path of ['', 'keys.html', 'life-cycle.html', 'discovery.html', 'api.html']) {
    await page.goto(`${site.server.base}/docs/${path}`);
    await page.locator('main h1').waitFor();
    await expectNoSidewaysScroll(tab);
    await expectAccessible(tab);
  }
  expectClean(tab);
});

test('a document leads to the others and back to the console, by the keyboard', async () => {
  const tab = await site.open('/docs');
  const { page } = tab;
  expect(new URL(page.url()).pathname).toBe('/docs/');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Selectors' })
    .or(page.locator('nav a').nth(2))
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await page.locator('nav a[aria-current]').waitFor();
  await page.waitForLoadState();
  await page.keyboard.press('Tab');
  await untilFocused(tab, 'a');
  await page.getByRole('link', { name: 'Monitoring inventory', exact: true }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expectClean(tab);
});
