import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemNode } from '../../tests/cli/system-node.ts';
import { bearer, bodyOf, clientOf, makeKeys, PASSWORD } from '../../tests/end-to-end/client.ts';
import { newDataDir, removeDataDir } from '../../tests/support/data-dir.ts';
import { type RunningServer, startServer } from '../../tests/support/server.ts';
import { buildCommandLinePackage } from '../../tools/package-cli.ts';
import { buildClientPackage } from '../../tools/package-client.ts';
import { type ProcessTime, type TimedProgram, timeOf } from '../processor-time.ts';
import { ratio, table } from '../report.ts';
import { quickSize, type Size } from '../size.ts';
import { median } from '../statistics.ts';
import type { Targets } from '../targets.ts';

/** Processor time of `--help`, over an empty program. */
const MAX_HELP_RATIO = 1.5;
/** Processor time of `get nodes`, in milliseconds. */
const MAX_GET = 150;
const NODES = 50;

const MAX_PLAN_SECONDS = 15;
const FILES = 5;
const OBJECTS_PER_FILE = 2000;

/** Processor time of a compilation. */
const MAX_COMPILE_SECONDS = 1;

const run = promisify(execFile);

const notMeasured: ProcessTime = { processor: Number.NaN, wall: Number.NaN };

/** Runs the programs in turns. @returns the median times by name. */
async function inTurns(programs: Record<string, TimedProgram>, rounds: number): Promise<(name: string) => ProcessTime> {
  const times = Object.entries(programs).map(([name, program]) => ({
    name,
    program,
    measured: Array.of<ProcessTime>(),
  }));
  for (let round = 0; round <= rounds; round += 1)
    for (const { program, measured } of times) {
      const time = await timeOf(program);
      // The first run fills caches.
      if (round > 0) measured.push(time);
    }
  const medians = times.map(({ name, measured }): [string, ProcessTime] => [
    name,
    { processor: median(measured.map((one) => one.processor)), wall: median(measured.map((one) => one.wall)) },
  ]);
  return (name) => new Map(medians).get(name) ?? notMeasured;
}

/** A desired state of nodes with a database and a pmm_agent each. */
function fleetFile(label: string, objects: number): string {
  const names = Array.from({ length: Math.ceil(objects / 3) }, (_, index) => `${label}-${String(index)}`);
  const nodes = names.map((name) => `  - { node_type: generic, node_name: ${name}, address: 10.0.7.1 }\n`);
  const services = names.map(
    (name) =>
      `  - { service_type: mysql, service_name: ${name}, node_names: [${name}], address: 10.0.7.1, port: 3306 }\n`,
  );
  const agents = names
    .slice(0, objects - 2 * names.length)
    .map((name) => `  - { agent_type: pmm_agent, runs_on_node_name: ${name} }\n`);
  const head = `scope: { selector: fleet=${label} }\ndefaults: { custom_labels: { fleet: ${label} } }\n`;
  return `${head}nodes:\n${nodes.join('')}services:\n${services.join('')}agents:\n${agents.join('')}`;
}

/** Adds the nodes of the lists, builds the command line, and writes desired-state files. @returns how to call it. */
async function prepareCommandLine(
  folder: string,
  server: RunningServer,
  size: Size,
): Promise<(...argv: string[]) => TimedProgram> {
  const { keys } = await makeKeys(server);
  const operations = Array.from({ length: NODES }, (_, index) => {
    const name = `node-${String(index)}`;
    return { op: 'addNode', body: { node_type: 'generic', node_name: name, address: name, region: 'eu' } };
  });
  bodyOf(await clientOf(server, bearer(keys.Editor))('POST', '/v1/batch', { body: { operations } }), 200);
  await buildCommandLinePackage(join(folder, 'cli'));
  await writeFile(join(folder, 'empty.cjs'), '');
  await mkdir(join(folder, 'fleets'));
  const objects = size === quickSize ? 50 : OBJECTS_PER_FILE;
  for (let file = 1; file <= FILES; file += 1)
    await writeFile(join(folder, 'fleets', `${String(file)}.yaml`), fleetFile(`fleet-${String(file)}`, objects));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INVENTORY_URL: server.base,
    INVENTORY_KEY: keys.Viewer,
    INVENTORY_CA: join(server.dataDir, 'tls-cert.pem'),
  };
  return (...argv) => ({ argv: [systemNode(), ...argv], env, cwd: folder });
}

async function commandLineRows(folder: string, server: RunningServer, size: Size, targets: Targets) {
  const node = await prepareCommandLine(folder, server, size);
  const { stdout: version } = await run(systemNode(), ['--version']);
  const start = join(folder, 'cli', 'start.cjs');
  const timeIn = await inTurns(
    {
      empty: node(join(folder, 'empty.cjs')),
      help: node(start, '--help'),
      get: node(start, 'get', 'nodes'),
    },
    size.loads,
  );
  // 2: the plan has differences.
  const plan = await timeOf({ ...node(start, 'plan', '-f', 'fleets', '-o', 'json'), code: 2 });
  const [empty, help, get] = [timeIn('empty'), timeIn('help'), timeIn('get')];
  const row = (name: string, { processor, wall }: ProcessTime, target: string) => [
    name,
    processor,
    wall,
    ratio(processor / empty.processor),
    target,
  ];
  return [
    row(`empty program, Node ${version.trim()}`, empty, ''),
    row(
      'inventory --help',
      help,
      targets.add({
        name: 'inventory --help, over an empty program',
        value: help.processor / empty.processor,
        limit: { atMost: MAX_HELP_RATIO },
      }),
    ),
    row(
      `inventory get nodes, ${String(NODES)}`,
      get,
      targets.add({
        name: `inventory get nodes, ${String(NODES)}: processor time`,
        value: get.processor,
        limit: { atMost: MAX_GET },
        unit: ' ms',
      }),
    ),
    row(
      `inventory plan, ${String(FILES)} files`,
      plan,
      targets.add({
        name: `inventory plan, ${(FILES * OBJECTS_PER_FILE).toLocaleString('en')} objects in ${String(FILES)} files`,
        value: plan.wall / 1000,
        limit: { atMost: MAX_PLAN_SECONDS },
        unit: ' s',
      }),
    ),
  ];
}

/** The compilation of a program of one line that imports the package of the TypeScript client, as users install it. */
async function compilerRows(folder: string, { loads }: Size, targets: Targets) {
  const project = join(folder, 'project');
  await mkdir(project);
  const packed = await buildClientPackage(join(folder, 'client'));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: project });
  await writeFile(join(project, 'empty.mts'), 'export {};\n');
  await writeFile(
    join(project, 'one.mts'),
    `import { createClient, getNode } from '@monitoring-inventory/client'; await getNode(createClient({ url: 'https://inventory.example' }), { node_id: 'a' });\n`,
  );
  const compiler = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
  ];
  const compile = (name: string): TimedProgram => ({
    argv: [compiler, ...options, name],
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    cwd: project,
  });
  const timeIn = await inTurns({ empty: compile('empty.mts'), one: compile('one.mts') }, loads);
  const [empty, one] = [timeIn('empty'), timeIn('one')];
  const verdict = targets.add({
    name: 'tsc, a program of one line with the TypeScript client: processor time',
    value: one.processor / 1000,
    limit: { atMost: MAX_COMPILE_SECONDS },
    unit: ' s',
  });
  return [
    ['tsc, an empty program', empty.processor, empty.wall, '', ''],
    ['tsc, a program of one line', one.processor, one.wall, '', verdict],
  ];
}

/** The command line with the Node of the system, and the declarations of the TypeScript client. */
export async function clientsSection(size: Size, targets: Targets): Promise<string> {
  const folder = await newDataDir();
  try {
    const server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
    const rows: (string | number)[][] = [];
    try {
      rows.push(...(await commandLineRows(folder, server, size, targets)));
    } finally {
      await server.stop();
    }
    rows.push(...(await compilerRows(folder, size, targets)));
    return table(['program', 'processor, ms', 'wall, ms', 'to an empty program', 'target'], rows);
  } finally {
    await removeDataDir(folder);
  }
}
