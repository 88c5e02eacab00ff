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
import { firstMinute, isAssignment, placeholdersIn } from './first-minute.ts';
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
/** The replies to the commands of the first minute, in their order. */
const replies: any[] = [];

/** The value of a field in the first reply that has it. */
const replied = (field: string): string => replies.find((reply) => Object.hasOwn(reply, field))[field];
const key = () => replied('key');

/** What a reader of the first minute fills in. */
const placeholders: Readonly<Record<string, () => string>> = {
  'localhost:8443': () => `localhost:${server.port}`,
  // curl asks for the password of this user; it reads the answer from its input, because it has no terminal.
  '-u admin': () => '-u admin',
  'minv_...': key,
  '<node_id>': () => replied('node_id'),
};

/** The variables of a user who has settings for no other server, and of curl. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INVENTORY_'))),
  XDG_CONFIG_HOME: folder,
  CURL_HOME: folder,
});

/** Runs commands in a shell until one of them fails. The input is what a user types. */
const shell = (commands: readonly string[], { input = '', variables = {} } = {}): Promise<string> =>
  run(['bash', '-euo', 'pipefail', '-c', ['exec <<<"$INPUT"', ...commands].join('\n')], {
    cwd: root,
    env: { ...environment(), INPUT: input, ...variables },
    limitMilliseconds: WAIT_LIMIT_MS,
  });

/** Runs a command of curl, again while a busy server refuses it for now, as people are told to. @returns the reply. */
async function request(commands: readonly string[]): Promise<any> {
  const ask = async () => {
    try {
      return { status: 200, text: await shell(commands, { input: password }) };
    } catch (error) {
      const text = String(error);
      return { status: Number(/returned error: (\d{3})/.exec(text)?.[1]), text };
    }
  };
  const { status, text } = await repeatWhileBusy(ask);
  if (status !== 200) throw new Error(text);
  // Before it, there may be the question for the password.
  return JSON.parse(text.slice(text.indexOf('{')));
}

/** Reads from the API with the key of the story. */
async function read(path: string): Promise<any> {
  const headers = { Authorization: `Bearer ${key()}` };
  return (await repeatWhileBusy(() => https(server.base, 'GET', path, { headers }))).body;
}

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
    // The commands stay as they are, and fail with a reply that is an error.
    await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n');
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
  'every placeholder of the first minute is one that a reader can fill in',
  step(async () => {
    expect(placeholdersIn(await firstMinute()).sort()).toEqual(Object.keys(placeholders).sort());
  }),
);

test(
  'the commands of the first minute, run as they are written, make a key and add a node with a service',
  whileServing(async () => {
    const assignments: string[] = [];
    for (const written of await firstMinute()) {
      const values = placeholdersIn([written]).map(
        (placeholder) => [placeholder, placeholders[placeholder]!()] as const,
      );
      const command = values.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), written);
      if (isAssignment(command)) assignments.push(command);
      else replies.push(await request([...assignments, command]));
    }
    const { nodes } = await read('/v1/nodes');
    expect(nodes).toMatchObject([{ node_name: 'db-1', node_id: replied('node_id') }]);
    const { services } = await read('/v1/services');
    expect(services).toMatchObject([{ service_name: 'orders', node_ids: [replied('node_id')] }]);
  }),
);

test(
  'the command line logs in with the key and applies a file, after which a plan has no differences',
  whileServing(async () => {
    const fleet = join(folder, 'fleet.yaml');
    const [text = ''] = fencedBlocks(await readFile(join(root, 'docs/cli.md'), 'utf8'), 'yaml');
    await writeFile(fleet, text);
    const variables = { URL: server.base, CA: join(dataDir, 'tls-cert.pem'), FLEET: fleet };
    const inventory = 'npm run -s inventory --';
    const plan = `${inventory} plan -f "$FLEET" && echo no differences || echo "exit code $?"`;
    await shell([`${inventory} login "$URL" --ca "$CA" --key-stdin`], { input: key(), variables });
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
    await authorise(page, key());
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
