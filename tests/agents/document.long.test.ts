/** The commands and files of the pages about agents that no other test executes, on a host with models of PMM's programs. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import {
  addAgent,
  addApiKey,
  addEnrolmentToken,
  addNode,
  getNode,
  listAgents,
  listNodes,
} from '../../clients/typescript/src/index.ts';
import { readContainerSettings } from '../../gateway/container/settings.ts';
import { exporterOf } from '../../gateway/desired/exporters.ts';
import { CREDENTIALS, credentialsOf } from '../../functions/domain/agent/credentials-file.ts';
import { readSettings } from '../../infra/settings/read-settings.ts';
import { eventually } from '../end-to-end/processes.ts';
import { PASSWORD } from '../end-to-end/client.ts';
import { startStory, type Story } from '../stories/story.ts';
import { startGateway } from '../support/container.ts';
import { PmmAgent } from '../support/pmm-agent.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const pages = ['connect-agents.md', 'exporter-credentials.md', 'collectors.md', 'agent-gateway.md'].map((name) =>
  readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8'),
);
const guide = (await Promise.all(pages)).join('\n');

/** The only block in a language that contains a text. */
function blockWith(language: string, text: string): string {
  const [block, ...others] = fencedBlocks(guide, language).filter((candidate) => candidate.includes(text));
  if (block === undefined || others.length > 0) throw new Error(`not in one block: ${text}`);
  return block;
}

/** @throws Error if the text does not contain a part of it. */
function replaced(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`not in the document: ${from}`);
    return all.replaceAll(from, to);
  }, text);
}

let story: Story;
let folder: string;
let user: string;
/** The folders of hosts. */
const hosts: string[] = [];
beforeAll(async () => {
  story = await startStory();
  folder = story.folder;
  const programs = join(import.meta.dirname, 'host/programs.ts');
  for (const name of ['pmm-agent', 'pmm-admin', 'systemctl'])
    await writeProgram(join(folder, 'bin', name), `exec '${process.execPath}' '${programs}' ${name} "$@"`);
  user = (await promisify(execFile)('id', ['-un'])).stdout.trim();
});
afterAll(async () => {
  for (const host of hosts) {
    const { pid } = JSON.parse(await readFile(join(host, 'unit.json'), 'utf8'));
    if (pid !== undefined) process.kill(pid);
  }
  await story.stop();
});

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** Runs commands of the document. @returns their output. @throws Error if one of them fails. */
async function run(commands: string, env: Readonly<Record<string, string>> = {}, cwd = folder): Promise<string> {
  const options = { cwd, env: { ...story.environment, ...env } };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], options)).stdout;
}

/** The key of a host whose node it adds. */
async function enrol(name: string, address: string): Promise<string> {
  const { token } = await addEnrolmentToken(story.admin, { name, allowed_addresses: [address] });
  await writeFile(join(folder, `${name}.token`), token);
  return run(`inventory enrol ${name} --address ${address} --token-file ${name}.token --quiet`).then((key) =>
    key.trim(),
  );
}

describe.each([
  [3, 'pmm/config'],
  [2, 'pmm2/config'],
] as const)('a host with PMM %i', (generation, place) => {
  const block = blockWith('sh', `/usr/local/percona/${place}/`);

  test.each([
    ['an Editor key', 1],
    ['the key of the host', 2],
  ])('is set up with %s, and reports its exporters', async (kind, number) => {
    const [name, address] = [`db-${generation}-${number}`, `10.0.${generation}.${number}`];
    const editor = () => addApiKey(story.admin, { name, role: 'Editor', time_to_live: '1h' });
    const key = kind === 'an Editor key' ? (await editor()).key : await enrol(name, address);
    const host = join(folder, name);
    hosts.push(host);
    await mkdir(host);
    const env = {
      ...{ HOST_FOLDER: host, PMM_GENERATION: String(generation) },
      ...{ KEY: key, SERVER: `127.0.0.1:${story.server.port}` },
    };
    const config = join(host, place, 'pmm-agent.yaml');
    await writeFile(join(host, 'unit.json'), JSON.stringify({ config }));
    const printed = await run(replaced(block, { '/usr/local/percona': host, '10.0.0.1': address, 'db-1': name }), env);
    const { nodes } = await listNodes(story.admin, { name_prefix: name });
    const [{ node_id: nodeId } = { node_id: '' }] = nodes;
    const idOf = (prefix: string, id: string) => (generation === 2 ? `/${prefix}/${id}` : id);
    const status = JSON.parse(printed.trim().split('\n').at(-1) ?? '');
    expect(status).toMatchObject({ runs_on_node_id: idOf('node_id', nodeId), server_info: { connected: true } });
    // The file has the members that the document shows for an agent that is in the inventory.
    const [documented] = fencedBlocks(guide, 'yaml').filter((candidate) => candidate.includes('\nid: '));
    const written = parse(await readFile(config, 'utf8'));
    expect(Object.keys(written.server).sort()).toEqual(Object.keys(parse(documented!).server).sort());
    // The registration declares an exporter of the node, and it runs.
    const processId = status.agent_id.replace(/^.*\//, '');
    await eventually(async () => {
      const { agents } = await listAgents(story.admin, { pmm_agent_id: processId, include: 'state' });
      return agents.length === 1 && agents.every((agent) => 'status' in agent && agent.status === 'running');
    });
    await eventually(async () => (await getNode(story.admin, { node_id: nodeId })).state === 'live');
    expect(story.server.output()).not.toContain(key);
  });
});

test('files with credentials have the names and modes that exporters need', async () => {
  const block = replaced(blockWith('sh', 'shop-db.cnf'), {
    '/etc/monitoring-inventory': join(folder, 'etc'),
    // The user of pmm-agent.
    '-o pmm-agent': `-o ${user}`,
    'chown pmm-agent': `chown ${user}`,
  });
  await mkdir(join(folder, 'etc'));
  await run(block, { PASSWORD: 'canary-of-shop' });
  const service = { service_id: 'id', service_name: 'shop-db', address: '127.0.0.1', port: 3306 };
  const file = `${credentialsOf(service).replace('/etc/monitoring-inventory', join(folder, 'etc'))}.cnf`;
  expect(await readFile(file, 'utf8')).toBe('[client]\nuser=pmm\npassword=canary-of-shop\nhost=127.0.0.1\nport=3306\n');
  const modes = await Promise.all([file, join(file, '..')].map(async (path) => (await stat(path)).mode & 0o777));
  expect(modes).toEqual([0o600, 0o700]);
});

describe('the wrapper of an exporter', () => {
  let wrapper: string;
  let credentials: string;
  beforeAll(async () => {
    const exporter = join(folder, 'mongodb_exporter');
    credentials = join(folder, 'credentials');
    await writeProgram(exporter, 'printf "%s" "$MONGODB_URI $*"');
    await mkdir(credentials);
    for (const name of ['orders', 'service-id'])
      await writeFile(join(credentials, `${name}.uri`), `mongodb://${name}:canary@10.0.0.1:27017\n`);
    wrapper = join(folder, 'wrapper');
    const text = replaced(blockWith('sh', 'MONGODB_URI'), {
      '/usr/local/percona/pmm/exporters/mongodb_exporter': exporter,
    });
    await writeFile(wrapper, text);
    await chmod(wrapper, 0o755);
  });

  /** With the variables of the gateway, in the folder of this test. */
  const start = (service_name: string, more: object = {}) => {
    const agent = { agent_id: 'a', agent_type: 'mongodb_exporter', disabled: false, insights: { service_ids: [] } };
    const { env = [] } =
      exporterOf('mongodb_exporter', {
        agent,
        ...{ service: { service_id: 'service-id', service_name }, process: { generation: 3, version: '3.5.0' } },
        delimiters: { left: '{{', right: '}}' },
      }) ?? {};
    const variables = env.map((variable) => variable.replace(CREDENTIALS, credentials).split('=') as [string, string]);
    return promisify(execFile)(wrapper, ['--web.listen-address=127.0.0.1:42000'], {
      env: { PATH: process.env['PATH'], ...Object.fromEntries(variables), ...more },
    });
  };

  test.each([
    ['orders', 'orders'],
    ['asg-1/ip-10-0-1-42', 'service-id'],
    ['../orders', 'service-id'],
    ['.hidden', 'service-id'],
  ])("of the service %j starts it with pmm-agent's arguments and the file of %s", async (service, file) => {
    expect((await start(service)).stdout).toBe(
      `mongodb://${file}:canary@10.0.0.1:27017 --web.listen-address=127.0.0.1:42000`,
    );
  });

  test.each([
    ['a service without a file', {}],
    ['a host without the variable', { INVENTORY_CREDENTIALS: '' }],
  ])('ends for %s', (_, more) => expect(start('unknown', more)).rejects.toMatchObject({ code: 3, stdout: '' }));
});

test('a unit exchanges the token only before the first start of a collector', async () => {
  const unit = blockWith('ini', 'ExecStartPre');
  const path = join(folder, 'otelcol.service');
  await writeFile(path, `${unit}ExecStart=/bin/true\n`);
  const verified = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', path]);
  expect(verified).toEqual({ stdout: '', stderr: '' });

  const home = join(folder, 'otelcol');
  await mkdir(home);
  const { token } = await addEnrolmentToken(story.admin, { name: 'web', allowed_addresses: ['10.0.3.0/24'] });
  await writeFile(join(home, 'enrolment-token'), token);
  const [, script = ''] = /^ExecStartPre=\/bin\/sh -c '([^]*?)'$/m.exec(unit) ?? [];
  // As systemd reads it.
  const command = script.replaceAll('\\\n', ' ').replaceAll('$$', '$').replaceAll('%%', '%');
  expect(unit).toContain('Environment=INVENTORY_URL=https://');
  const start = async () => {
    await run(replaced(command, { '/etc/otelcol': home }));
    return readFile(join(home, 'inventory-authorization'), 'utf8');
  };
  const authorization = await start();
  expect(authorization).toMatch(/^Bearer minv_\S+$/);
  expect((await stat(join(home, 'inventory-authorization'))).mode & 0o777).toBe(0o600);
  expect(await start()).toBe(authorization);
});

test('the deployment settings are those of the stack', () => {
  const block = replaced(blockWith('sh', 'cdk deploy'), {
    '"$CERTIFICATE_ARN"': 'arn:aws:acm:eu-west-1:111122223333:certificate/x',
  });
  const context = Object.fromEntries([...block.matchAll(/ -c (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  expect(Object.keys(context)).toHaveLength(3);
  expect(readSettings(context)).toMatchObject({ ...context, agentGateway: true });
});

test("the commands make and store the gateway's key, and a container with it admits agents", async () => {
  const secret = join(folder, 'stored.key');
  // In place of the command line of AWS.
  await writeProgram(
    join(folder, 'bin/aws'),
    `case "$*" in
      'secretsmanager put-secret-value --secret-id arn --secret-string file://gateway.key --query VersionId --output text')
        cat gateway.key > '${secret}' ;;
      *) exit 2 ;;
    esac`,
  );
  const before = join(folder, 'commands');
  await mkdir(before);
  const env = { B: story.server.base, P: PASSWORD, SECRET: 'arn', CURL_CA_BUNDLE: story.environment.INVENTORY_CA };
  await run(blockWith('sh', 'put-secret-value'), env, before);
  await expect(stat(join(before, 'gateway.key'))).rejects.toMatchObject({ code: 'ENOENT' });
  const gateway = await startGateway({
    ...{ API_URL: story.server.base, KEY_FILE: secret, NODE_EXTRA_CA_CERTS: story.environment.INVENTORY_CA },
    ...{ DRAIN_SECONDS: '1' },
  });
  try {
    const node = await addNode(story.admin, { node_type: 'generic', node_name: 'db-9', address: '10.0.9.1' });
    const { agent_id: id } = await addAgent(story.admin, { agent_type: 'pmm_agent', runs_on_node_id: node.node_id });
    const { key } = await addApiKey(story.admin, { name: 'db-9', role: 'Editor', time_to_live: '1h' });
    // It is ready some seconds after it read its key.
    const agents: PmmAgent[] = [];
    await eventually(async () => {
      const agent = new PmmAgent({
        port: gateway.port,
        plain: true,
        generation: 3,
        id,
        authorization: `Bearer ${key}`,
      });
      agents.push(agent);
      return Promise.race([agent.connected.then(() => true), agent.ended.then(() => false)]);
    });
    for (const agent of agents) agent.close();
  } finally {
    await gateway.stop();
  }
});

test("a container's variables are those that the program reads", () => {
  const [, section = ''] = guide.split('## As a container\n');
  const documented = [...section.split('\n## ')[0]!.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );
  const read = new Set<string>();
  const least: Record<string, string> = { API_URL: 'https://api.example.com', KEY_FILE: '/run/key' };
  const watched = new Proxy(least, {
    get: (values, name) => {
      read.add(String(name));
      return values[String(name)];
    },
  });
  readContainerSettings(watched);
  expect(documented.sort()).toEqual([...read].sort());
});
