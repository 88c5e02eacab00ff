/** Commands that end at random moments leave no temporary file, and a repetition finishes their work. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inFull, testSeed } from '../../shared/testing/extent.ts';
import { buildCommandLine } from '../../tools/package-cli.ts';
import { Random } from '../consistency/random.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { type EndedProcess, start } from './processes.ts';
import { serveInventory, type ServedInventory } from './served-inventory.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

const random = new Random(testSeed);

/** Moments for each of the five commands, and for the apply that is killed. */
const MOMENTS = inFull(20, 2);
const KILLS = inFull(20, 2);

let inventory: Inventory;
let served: ServedInventory;
let root: string;
let program: string;
let home: string;
let number = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'inventory-ends-'));
  program = join(root, 'inventory.cjs');
  await buildCommandLine(program);
  inventory = await startInventory({ clock: timeOfDay });
  served = await serveInventory(inventory);
});
afterAll(async () => {
  await served.stop();
  await inventory.stop();
  await rm(root, { recursive: true });
});
beforeEach(async () => {
  number += 1;
  home = join(root, `home-${number}`);
  await mkdir(join(home, 'tmp'), { recursive: true });
});

const environment = () => ({
  HOME: home,
  TMPDIR: join(home, 'tmp'),
  EDITOR: join(home, 'editor'),
  INVENTORY_URL: served.address,
  INVENTORY_KEY: inventory.keys.Admin,
});

const begin = (argv: readonly string[], input?: string) =>
  start(process.execPath, [program, ...argv], {
    env: environment(),
    cwd: home,
    ...(input === undefined ? {} : { input }),
  });

/** @throws if the command fails. */
async function must(argv: readonly string[], input?: string): Promise<EndedProcess> {
  const ended = await begin(argv, input).ended;
  expect([argv, ended.code, ended.err]).toEqual([argv, 0, ended.err]);
  return ended;
}

const write = (name: string, text: string) => writeFile(join(home, name), text);

interface InterruptedCommand {
  argv: string[];
  input?: string;
  prepare: () => Promise<void>;
  /** Repeats it and checks the result. */
  repair: () => Promise<void>;
}

const OBJECTS = 40;

function fleet(label: string): string {
  const names = Array.from({ length: OBJECTS }, (_, index) => `${label}-${index}`);
  const nodes = names.map((name) => `  - { node_type: generic, node_name: ${name}, address: a }\n`).join('');
  return `scope: { selector: fleet=${label} }\ndefaults: { custom_labels: { fleet: ${label} } }\nnodes:\n${nodes}`;
}

const apply = (): InterruptedCommand => ({
  argv: ['apply', '-y', '-f', 'fleet.yaml'],
  prepare: () => write('fleet.yaml', fleet(`apply-${number}`)),
  repair: async () => {
    await must(['apply', '-y', '-f', 'fleet.yaml']);
    await must(['plan', '-f', 'fleet.yaml']);
  },
});

const importing = (): InterruptedCommand => {
  const line = (index: number) => {
    const id = `00000000-0000-4000-8000-${String(number * 1000 + index).padStart(12, '0')}`;
    const object = { node_id: id, node_type: 'generic', node_name: `import-${number}-${index}`, address: 'a' };
    return JSON.stringify({ kind: 'node', object });
  };
  const argv = ['import', 'lines', '--progress-file', 'progress', '--refused', 'refused'];
  return {
    argv,
    prepare: () => write('lines', Array.from({ length: OBJECTS }, (_, index) => line(index)).join('\n')),
    repair: async () => {
      const { out } = await must(argv);
      const counts = [...out.matchAll(/(\d+) (?:added|changed|unchanged)/g)].map(([, count]) => Number(count));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(OBJECTS);
      expect(await readdir(home)).not.toContain('progress');
    },
  };
};

const watch = (): InterruptedCommand => ({
  argv: ['watch', '--cursor-file', 'cursor', '--exec', 'cat > seen'],
  prepare: () => Promise.resolve(),
  repair: async () => {
    const again = await begin(['watch', '--once', '--cursor-file', 'cursor', '--exec', 'cat > seen']).ended;
    expect(again.code).toBe(0);
  },
});

const login = (): InterruptedCommand => ({
  argv: ['login', served.address, '--key-stdin', '--context', 'here'],
  input: inventory.keys.Viewer,
  prepare: () => Promise.resolve(),
  repair: async () => {
    await must(['login', served.address, '--key-stdin', '--context', 'here'], inventory.keys.Viewer);
    const folder = join(home, '.config', 'inventory');
    expect((await readdir(folder)).sort()).toEqual(['config.yaml', 'credentials.json']);
    expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600);
    await must(['whoami', '--context', 'here']);
  },
});

const edit = (): InterruptedCommand => {
  const name = `edit-${number}`;
  return {
    argv: ['edit', `node/${name}`],
    prepare: async () => {
      const body = { node_type: 'generic', node_name: name, address: 'before.example' };
      expect((await inventory.request('POST', '/v1/nodes', { body })).status).toBe(201);
      await write('editor', '#!/bin/sh\nsleep 0.2\nsed -i s/before.example/after.example/ "$1"\n');
      await chmod(join(home, 'editor'), 0o755);
    },
    repair: async () => {
      await must(['edit', `node/${name}`]);
      const { out } = await must(['get', 'node', name, '-o', 'json']);
      expect(JSON.parse(out)).toMatchObject({ address: 'after.example' });
    },
  };
};

/** Files that a command leaves only when it did not end in order. A text that a person has changed is kept, and named. */
async function temporaryFiles(err = ''): Promise<string[]> {
  const all = await readdir(home, { recursive: true });
  const [, kept = ''] = /^The text is kept in (.*)$/m.exec(err) ?? [];
  const isKept = (path: string) => kept !== '' && kept.startsWith(join(home, path));
  return all.filter((path) => path.endsWith('.new') || (path.startsWith('tmp/') && !isKept(path)));
}

/** Runs the command until a random moment. The signal is sent to the program only, as by `kill`. */
async function interrupted(
  { argv, input, prepare }: InterruptedCommand,
  signal: NodeJS.Signals,
  longest: number,
): Promise<EndedProcess> {
  await prepare();
  const { child, ended } = begin(argv, input);
  await Promise.race([delay(random.below(Math.ceil(longest))), ended]);
  child.kill(signal);
  return ended;
}

/** The time of the command without a signal, in milliseconds; of one that does not end, a second more than its start. */
async function timeOf(make: () => InterruptedCommand): Promise<number> {
  const { argv, input, prepare } = make();
  await prepare();
  const from = performance.now();
  const isEndless = argv[0] === 'watch';
  await begin(isEndless ? ['watch', '--once'] : argv, input).ended;
  return performance.now() - from + (isEndless ? 1000 : 0);
}

describe.each([
  ['apply', apply],
  ['import', importing],
  ['watch', watch],
  ['login', login],
  ['edit', edit],
] as const)('%s', (_, make) => {
  test('ends at a signal at any moment, leaves no temporary file, and can be repeated', async () => {
    const longest = await timeOf(make);
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      number += 1;
      home = join(root, `home-${number}`);
      await mkdir(join(home, 'tmp'), { recursive: true });
      const signal = moment % 2 === 0 ? 'SIGINT' : 'SIGTERM';
      const command = make();
      const { code, err } = await interrupted(command, signal, longest);
      // 0: it was done before. The name of the signal: the program was not running yet.
      expect([signal === 'SIGINT' ? 130 : 143, signal, 0]).toContain(code);
      if (code === 130 || code === 143) expect(err).toMatch(/^Error: (Interrupted|Terminated)\.$/m);
      expect(await temporaryFiles(err)).toEqual([]);
      await command.repair();
    }
  });
});

test('an apply that is killed at any moment is finished by a repetition', async () => {
  const longest = await timeOf(apply);
  for (let moment = 0; moment < KILLS; moment += 1) {
    number += 1;
    home = join(root, `home-${number}`);
    await mkdir(join(home, 'tmp'), { recursive: true });
    const command = apply();
    expect([0, 'SIGKILL']).toContain((await interrupted(command, 'SIGKILL', longest)).code);
    await command.repair();
  }
});

test('an editor that ignores its end leaves no file', async () => {
  const command = edit();
  await command.prepare();
  await write(
    'editor',
    `#!/bin/sh\ntrap '' TERM INT\ntouch '${home}/open'\nwhile [ -e '${home}/open' ]; do sleep 0.1; done\n`,
  );
  const { child, ended } = begin(command.argv);
  while (!(await readdir(home)).includes('open')) await delay(20);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(await temporaryFiles()).toEqual([]);
  await rm(join(home, 'open'));
  expect((await ended).code).toBe(143);
});

test('a plan of five large files succeeds', async () => {
  const count = inFull(2000, 100);
  await mkdir(join(home, 'fleets'));
  for (const file of [1, 2, 3, 4, 5]) {
    const node = (index: number) => `- { node_type: generic, node_name: plan-${file}-${index}, address: a }\n`;
    const nodes = Array.from({ length: count }, (_, index) => node(index)).join('');
    const head = `scope: { selector: fleet=plan-${file} }\ndefaults: { custom_labels: { fleet: plan-${file} } }\nnodes:\n`;
    await write(`fleets/${file}.yaml`, head + nodes);
  }
  const { code, out } = await begin(['plan', '-f', 'fleets', '-o', 'json']).ended;
  const plans: { add: number }[] = JSON.parse(out);
  expect([code, plans.map(({ add }) => add)]).toEqual([2, [count, count, count, count, count]]);
});
