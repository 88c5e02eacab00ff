import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  expectAccessible,
  expectClean,
  expectNoSidewaysScroll,
  logInWithKey,
  openSite,
  PASSWORD,
  type Site,
  type Tab,
} from './browser.ts';

const run = promisify(execFile);

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const steps = ({ page }: Tab) => page.getByRole('list', { name: 'First steps' }).locator(':scope > li');

async function runInShell(command: string, environment: Record<string, string>): Promise<any> {
  const { stdout } = await run('/bin/sh', ['-c', `${command} --silent --show-error --fail-with-body`], {
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout);
}

test('an empty inventory leads to the quick start; its commands, run one after the other, do every step', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.locator('main').getByRole('link', { name: 'Quick start' }).click();
  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor();
  await page.getByText('(0/6)').waitFor();
  expect(await steps(tab).count()).toBe(6);
  await expectAccessible(tab);
  let key = '';
  for (let index = 0; index < 6; index += 1) {
    const command = (await steps(tab).nth(index).locator('code').textContent()) ?? '';
    expect(command).toContain(site.server.base);
    expect(command).not.toMatch(/NODE_ID|PMM_AGENT_ID|SERVICE_ID/);
    const reply = await runInShell(command.replace('-u admin', `-u 'admin:${PASSWORD}'`), { API_KEY: key });
    if (index === 0) ({ key } = reply);
    await page.getByRole('button', { name: 'Check again' }).click();
    // The exporter is a target as soon as it exists.
    await page.getByText(`(${index < 4 ? index + 1 : 6}/6)`).waitFor();
  }
  await expectAccessible(tab);
  expectClean(tab);
});

test('to a Viewer, who may not list keys, the first step is neither done nor open', async () => {
  const { key } = await site.write('POST', '/v1/api-keys', { name: 'watcher', role: 'Viewer' });
  const tab = await site.open('/#/quick-start', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await logInWithKey(tab, key);
  await steps(tab).first().waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  expectClean(tab);
});
