import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  expectNoViolations,
  useSite,
  type Tab,
  untilFocused,
} from './browser.ts';

const site = useSite();

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

test('at 1440 px and at 390 px axe finds nothing on any document, and none exceeds the window', async () => {
  const tab = await site.open('/docs/', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const { page } = tab;
  const links = await page.locator('.menu a').all();
  const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(paths.length).toBeGreaterThan(40);
  for (const path of ['', ...paths]) {
    await page.goto(`${site.server.base}/docs/${path}`);
    await page.locator('.menu details[open], .menu summary').first().waitFor();
    await expectNoViolations(tab);
    await expectNoSidewaysScroll(tab);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoViolations(tab);
    await expectNoSidewaysScroll(tab);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  expectClean(tab);
});

test('at each width axe finds nothing on a document with a diagram, with its menu and contents open', async () => {
  const tab = await site.open('/docs/life-cycle.html');
  const { page } = tab;
  for (const view of views) {
    await show(tab, view);
    for (const name of ['All documents', 'On this page']) {
      const part = page.locator('details').filter({ hasText: name });
      if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
      await part.getByRole('link').first().waitFor();
    }
    await expectNoSidewaysScroll(tab);
    await expectNoViolations(tab);
  }
  expectClean(tab);
});

test("the search leads to a document's part by keyboard", async () => {
  const tab = await site.open('/docs/keys.html');
  const { page } = tab;
  await page.locator('#search input').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.insertText('remove_after');
  const hits = page.locator('.search-panel a');
  await hits.first().waitFor();
  await expectNoViolations(tab);
  await page.keyboard.press('ArrowDown');
  await untilFocused(tab, hits.first());
  const address = await hits.first().getAttribute('href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.server.base}/docs/${address}`);
  await page.keyboard.press('/');
  await page.keyboard.insertText('zzzz');
  await page.getByRole('status').filter({ hasText: 'Nothing found' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.search-panel').waitFor({ state: 'hidden' });
  expectClean(tab);
});

test('a button copies a code block exactly', async () => {
  const tab = await site.open('/docs/readme.html');
  const { page } = tab;
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const code = await block.locator('code').textContent();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  expectClean(tab);
});

test("documents have the console's theme", async () => {
  const tab = await site.open('/docs/keys.html', { colorScheme: 'light' });
  const { page } = tab;
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await background();
  await page.evaluate(`localStorage.setItem('theme', 'dark')`);
  await page.reload();
  expect(await background()).not.toBe(light);
  expectClean(tab);
});

test('a document leads to others and back to the console by keyboard', async () => {
  const tab = await site.open('/docs');
  const { page } = tab;
  expect(new URL(page.url()).pathname).toBe('/docs/');
  await page.getByRole('navigation', { name: 'Documents' }).getByRole('link', { name: 'Selectors' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('nav a[aria-current]').filter({ hasText: 'Selectors' }).waitFor();
  await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Console' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  expectClean(tab);
});
