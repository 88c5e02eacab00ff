import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { expectClean, launchBrowser, logIn, menuLink, newTab, type Tab } from '../browser/browser.ts';
import { authorise, openGroup } from '../browser/swagger.ts';
import { run } from '../deploy/processes.ts';
import { anyRuns, descendantsOf, eventually } from '../end-to-end/processes.ts';
import { openConnection } from '../end-to-end/raw-request.ts';
import { repeatWhileBusy } from '../support/busy.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { scriptOf, stepsOf } from '../ways/steps.ts';
import { story, WAIT_LIMIT_MS } from './story.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const step = story();

let folder: string;
let dataDir: string;
let server: RunningServer;
/** All processes that `npm start` has started. */
let started: number[] = [];
let password: string;
let browser: Browser;
/** A key that changes the inventory. */
let key: string;

/** The variables of a user who has settings for no other server, and of curl. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INVENTORY_'))),
  XDG_CONFIG_HOME: folder,
  CURL_HOME: folder,
});

/** Runs commands in a shell until one of them fails. The input is what a user types. */
const shell = (
  commands: readonly string[],
  { input = '', variables = {}, cwd = root }: { input?: string; variables?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<string> =>
  run(['bash', '-euo', 'pipefail', '-c', ['exec <<<"$INPUT"', ...commands].join('\n')], {
    cwd,
    env: { ...environment(), INPUT: input, ...variables },
    limitMilliseconds: WAIT_LIMIT_MS,
  });

const open = async (path: string): Promise<Tab> => {
  const tab = await newTab(browser, server.base);
  tab.context.setDefaultTimeout(WAIT_LIMIT_MS);
  await tab.page.goto(server.base + path);
  return tab;
};

const whileServing = (act: () => Promise<void>) => step(act, () => server);

beforeAll(
  step(async () => {
    folder = await newDataDir();
    dataDir = join(folder, 'data');
    await mkdir(dataDir);
    // The commands stay as they are. They fail with a reply that is an error, and are repeated while a busy server refuses them.
    await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\nretry = 10\n');
    browser = await launchBrowser();
  }),
);

afterAll(async () => {
  // After a step that failed.
  for (const pid of started)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended, as it should.
    }
  await removeDataDir(folder);
  await browser.close();
});

test(
  '`npm start` in an empty data folder serves HTTPS and prints the password of the user admin',
  step(async () => {
    server = await startServer(dataDir, { program: ['npm', 'start'], cwd: root });
    started = [server.pid, ...(await descendantsOf(server.pid))];
    [, password = ''] = /^Admin user +admin, password (\S+)/m.exec(server.stdout()) ?? [];
    expect(password).not.toBe('');
    expect(await https(server.base, 'GET', '/v1/readyz')).toMatchObject({ status: 200 });
  }),
);

test(
  'the commands of the first minute end with the target of an exporter and its labels',
  whileServing(async () => {
    const step = (await stepsOf('first-minute')).get('add')!;
    const code = step.code.replaceAll('localhost:8443', `localhost:${server.port}`);
    // curl asks for the password; it reads the answer from its input, because it has no terminal.
    const printed = await shell([scriptOf({ ...step, code })], { input: password, cwd: folder });
    const targets = JSON.parse(printed.slice(printed.lastIndexOf('[{"targets"')));
    expect(targets).toMatchObject([
      {
        targets: ['db-1.example.com:9104'],
        labels: {
          job: 'external_exporter',
          __meta_inventory_node_name: 'db-1',
          __meta_inventory_service_name: 'orders',
        },
      },
    ]);
    const authorization = { Authorization: `Bearer ${await readFile(join(folder, 'inventory.key'), 'utf8')}` };
    const read = () => https(server.base, 'GET', '/v1/discovery/prometheus', { headers: authorization });
    expect((await repeatWhileBusy(read)).body).toEqual(targets);
  }),
);

test(
  'the command line logs in with the key and applies a file, after which a plan has no differences',
  whileServing(async () => {
    const headers = { Authorization: `Basic ${btoa(`admin:${password}`)}` };
    const body = { name: 'automation', role: 'Editor', time_to_live: '1d' };
    ({ key } = (await repeatWhileBusy(() => https(server.base, 'POST', '/v1/api-keys', { headers, body }))).body);
    const fleet = join(folder, 'fleet.yaml');
    const [text = ''] = fencedBlocks(await readFile(join(root, 'docs/cli.md'), 'utf8'), 'yaml');
    await writeFile(fleet, text);
    const variables = { URL: server.base, CA: join(dataDir, 'tls-cert.pem'), FLEET: fleet };
    const inventory = 'npm run -s inventory --';
    const plan = `${inventory} plan -f "$FLEET" && echo no differences || echo "exit code $?"`;
    await shell([`${inventory} login "$URL" --ca "$CA" --key-stdin`], { input: key, variables });
    expect(await shell([plan], { variables })).toMatch(/add +node shop-1[^]*exit code 2\n$/);
    await shell([`${inventory} apply -f "$FLEET" --yes`], { variables });
    expect(await shell([plan], { variables })).toMatch(/no differences\n$/);
    expect(await shell([`${inventory} get nodes -o name`], { variables })).toBe('node/db-1\nnode/shop-1\n');
  }),
);

test(
  'the console lists the nodes after admin has logged in',
  whileServing(async () => {
    const tab = await open('/');
    await logIn(tab, password);
    await menuLink(tab, 'Nodes').click();
    await tab.page.getByRole('main').getByRole('link', { name: 'db-1', exact: true }).waitFor();
    expectClean(tab);
  }),
);

test(
  'the API browser lists the operations and runs one of them with the key',
  whileServing(async () => {
    const tab = await open('/swagger/');
    const { page } = tab;
    await authorise(page, key);
    for (const group of ['Nodes', 'Server']) await openGroup(page, group);
    await page.locator('.opblock').filter({ hasText: 'Add a node' }).waitFor();
    const version = page.locator('.opblock-get').filter({ hasText: '/v1/version' });
    await version.locator('.opblock-summary-control').click();
    await version.getByRole('button', { name: 'Execute' }).click();
    const reply = version.locator('.live-responses-table');
    await reply.locator('.response-col_status').filter({ hasText: '200' }).waitFor();
    expect(await reply.textContent()).toContain('"version"');
    expectClean(tab);
  }),
);

test(
  'SIGTERM to npm ends every process of the service and closes its port',
  step(async () => {
    expect(started.length).toBeGreaterThanOrEqual(3);
    await server.stop('SIGTERM');
    await eventually(async () => !(await anyRuns(started)), WAIT_LIMIT_MS);
    await expect(openConnection(server.port)).rejects.toThrow('ECONNREFUSED');
    started = [];
  }),
);
