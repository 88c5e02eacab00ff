import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  openSite,
  type Site,
  type Tab,
  untilFocused,
} from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** The last one is a small screen at twice the size. */
const views = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 768, height: 1024, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 640, height: 400, colorScheme: 'dark' },
] as const;

async function show({ page }: Tab, { colorScheme, ...size }: (typeof views)[number]): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
}

test('at each width the keyboard opens and closes the help, which axe accepts', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  for (const view of views) {
    await show(tab, view);
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
  }
  expectClean(tab);
});

test('at each width the documents are pages that axe accepts', async () => {
  const tab = await site.open('/docs/');
  const { page } = tab;
  for (const path of ['', 'keys.html', 'life-cycle.html', 'discovery.html', 'api.html']) {
    await page.goto(`${site.server.base}/docs/${path}`);
    await page.locator('main h1').waitFor();
    for (const view of views) {
      await show(tab, view);
      await expectNoSidewaysScroll(tab);
      await expectAccessible(tab);
    }
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
