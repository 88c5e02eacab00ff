import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { expectAccessible, expectClean, expectNoSidewaysScroll, useSite, PASSWORD, type Tab } from './browser.ts';

const run = promisify(execFile);

const site = useSite();

const steps = ({ page }: Tab) => page.getByRole('list', { name: 'First steps' }).locator(':scope > li');

async function runInShell(command: string, environment: Record<string, string>): Promise<any> {
  const { stdout } = await run('/bin/sh', ['-c', `${command} --silent --show-error --fail-with-body`], {
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout);
}

test('an empty inventory leads to the quick start, whose commands work in sequence', async () => {
  const tab = await site.at('nodes');
  const { page } = tab;
  await page.locator('main').getByRole('link', { name: 'Quick start' }).click();
  await page.getByRole('heading', { name: 'Quick start', level: 1 }).waitFor();
  await page.getByText('(0/6)').waitFor();
  await page.getByRole('button', { name: /Step by step, with curl/ }).click();
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

test('a host enrols and reports with one command, and the page shows its first report live', async () => {
  const tab = await site.at('quick-start', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { page } = tab;
  const folder = await newDataDir();
  await page.getByRole('button', { name: 'Create the command' }).click();
  await page.locator('[aria-invalid="true"]').first().waitFor();
  await page.getByLabel('Name of the host').fill("the 'first' host");
  await page.getByLabel('Address', { exact: true }).fill('10.1.2.3');
  await page.getByRole('button', { name: 'Create the command' }).click();
  await page.getByText('Waiting for the host to enrol').waitFor();
  await expectAccessible(tab);
  const command = (await page.locator('code').filter({ hasText: '/v1/enrolment' }).textContent()) ?? '';
  const { stdout } = await run('/bin/sh', ['-c', command], { cwd: folder });
  await page.getByText('Live', { exact: true }).waitFor();
  await expectNoSidewaysScroll(tab);
  await expectAccessible(tab);
  // Nothing but the key is left, for its user alone, and the terminal has not shown it.
  expect(await readdir(folder)).toEqual(['inventory-host.key']);
  const key = join(folder, 'inventory-host.key');
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect(stdout).not.toContain((await readFile(key, 'utf8')).trim());
  // The command works once.
  await expect(run('/bin/sh', ['-c', command], { cwd: folder })).rejects.toThrow(/exists already/);
  await page.getByRole('link', { name: "the 'first' host" }).click();
  await page.getByRole('heading', { name: "the 'first' host", level: 1 }).waitFor();
  // The name of a host that exists gets no token, which would end its key.
  await page.goto(`${site.server.base}/#/quick-start`);
  await page.getByLabel('Name of the host').fill("the 'first' host");
  await page.getByLabel('Address', { exact: true }).fill('10.1.2.3');
  await page.getByRole('button', { name: 'Create the command' }).click();
  await page.getByText('exists already').waitFor();
  await removeDataDir(folder);
  expectClean(tab);
});
