/** Completion in real shells, and manual pages with the linter of mandoc. `.ci/install` installs these programs. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildCommandLinePackage } from '../../tools/package-cli.ts';
import { type Inventory, startInventory } from '../support/inventory.ts';
import { serveInventory, type ServedInventory } from './served-inventory.ts';
import { timeOfDay } from '../../shared/core/time-of-day.ts';

const run = promisify(execFile);

let folder: string;
let inventory: Inventory;
let served: ServedInventory;
let env: Record<string, string>;
/** Shells also propose the files of the folder. */
let empty: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-shells-'));
  await buildCommandLinePackage(join(folder, 'package'));
  const program = join(folder, 'inventory');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${folder}/package/inventory.cjs' "$@"\n`);
  await chmod(program, 0o755);
  empty = await mkdtemp(join(folder, 'empty-'));
  inventory = await startInventory({ clock: timeOfDay });
  served = await serveInventory(inventory);
  for (const name of ['my db:1', 'my db:2', 'plain-1', "it's"])
    await inventory.request('POST', '/v1/nodes', { body: { node_type: 'generic', node_name: name, address: 'a' } });
  await mkdir(join(folder, '.config/inventory'), { recursive: true });
  await writeFile(join(folder, '.config/inventory/config.yaml'), 'contexts: { stage: { url: "https://stage" } }\n');
  env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    TERM: 'dumb',
    LC_ALL: 'C.UTF-8',
    INVENTORY_URL: served.address,
    INVENTORY_KEY: inventory.keys.Viewer,
  };
});
afterAll(async () => {
  await served.stop();
  await inventory.stop();
  await rm(folder, { recursive: true });
});

/** Lines before the cursor, and the proposals of each shell. */
const common: [line: string, proposals: string[]][] = [
  ['inventory desc', ['describe']],
  ['inventory key r', ['remove', 'rotate']],
  ['inventory --context x key r', ['remove', 'rotate']],
  ['inventory get nodes --sel', ['--selector']],
  ['inventory get nodes -o ma', ['markdown']],
  ['inventory get n', ['nodes']],
  ['inventory describe no', ['node/']],
  ['inventory describe node/pl', ['node/plain-1']],
  ['inventory describe node pl', ['plain-1']],
  ['inventory get node pl', ['plain-1']],
  ['inventory change node/plain-1 reg', ['region=']],
  ['inventory get nodes --filter reg', ['region=']],
  ['inventory get nodes --context st', ['stage']],
  ['inventory add agent mysqld', ['mysqld_exporter']],
  ['inventory add service x --node-ids pl', ['plain-1']],
];

const offline = () => ({ ...env, INVENTORY_URL: 'http://127.0.0.1:9' });

describe.each([
  ['without bash-completion', ''],
  ['with bash-completion', 'source /usr/share/bash-completion/bash_completion'],
])('bash %s', (_, setUp) => {
  /** The proposals as bash would put them into the line. */
  async function complete(line: string, environment = env): Promise<string[]> {
    // The words of the line as readline splits them do not matter: the function reads the line.
    const script = `set -e\n${setUp}\nsource <(inventory completion bash)
      complete -p inventory >&2
      compopt() { :; }
      COMP_LINE="$1" COMP_POINT=\${#1}
      _inventory
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script, 'bash', line], { env: environment });
    expect(stderr).toMatch(/^complete .*-F _inventory inventory\n$/);
    return stdout.split('\n').filter(Boolean).sort();
  }

  test.each([
    ...common,
    ['inventory describe node/my', ['node/my\\ db:1', 'node/my\\ db:2']],
    ['inventory describe node/my\\ db', ['node/my\\ db:1', 'node/my\\ db:2']],
    // Bash replaces the part after the colon, and what is in quotes.
    ['inventory describe node/my\\ db:', ['1', '2']],
    ['inventory describe "node/my d', ['node/my db:1', 'node/my db:2']],
    ['inventory describe node/it', ["node/it\\'s"]],
    ['inventory get nodes --filter=', []],
    // What bash replaces is after the equals sign.
    ['inventory change node/plain-1 lifetime=e', ['ephemeral']],
    ['inventory get nodes --filter node_type=co', ['container']],
  ] as [string, string[]][])('%s', async (line, expected) => {
    expect(await complete(line)).toEqual(expected);
  });

  test('is silent without a server', async () => {
    expect(await complete('inventory describe node/pl', offline())).toEqual([]);
  });
});

describe('zsh', () => {
  /** The line after a tab, in an interactive zsh at a pseudo terminal. */
  async function complete(line: string, environment = env): Promise<string> {
    // The widget prints the line, because a terminal mixes it with other output.
    const script = `
      zmodload zsh/zpty
      zpty -b shell 'PS1= PROMPT_EOL_MARK= zsh -f -i'
      zpty -w shell 'autoload -Uz compinit && compinit -u -D && source <(inventory completion zsh)'
      zpty -w shell 'show() { print -r -- "<<$BUFFER>>" > ${folder}/zsh.out; }; zle -N show; bindkey "^X" show; unsetopt beep; print rea""dy'
      zpty -r -m shell seen '*ready*'
      zpty -w -n shell "$1"$'\\t\\x18'
      until [[ -s ${folder}/zsh.out ]]; do zpty -r -t shell seen; sleep 0.05; done
      zpty -d shell
      cat ${folder}/zsh.out`;
    await rm(join(folder, 'zsh.out'), { force: true });
    const { stdout } = await run('zsh', ['-f', '-c', script, 'zsh', line], { env: environment, cwd: empty });
    return /^<<([^]*)>>\n$/.exec(stdout)?.[1] ?? stdout;
  }

  test.each([
    ['inventory desc', 'inventory describe '],
    ['inventory key ro', 'inventory key rotate '],
    ['inventory get nodes --sel', 'inventory get nodes --selector '],
    ['inventory get nodes -o ma', 'inventory get nodes -o markdown '],
    ['inventory describe no', 'inventory describe node/'],
    ['inventory describe node/pl', 'inventory describe node/plain-1 '],
    ['inventory describe node pl', 'inventory describe node plain-1 '],
    ['inventory change node/plain-1 reg', 'inventory change node/plain-1 region='],
    ['inventory change node/plain-1 lifetime=e', 'inventory change node/plain-1 lifetime=ephemeral '],
    ['inventory get nodes --context st', 'inventory get nodes --context stage '],
    ['inventory describe node/my', 'inventory describe node/my\\ db:'],
    ['inventory describe node/my\\ db:', 'inventory describe node/my\\ db:'],
  ])('%s', async (line, expected) => {
    expect(await complete(line)).toBe(expected);
  });

  test('is silent without a server', async () => {
    expect(await complete('inventory describe node/pl', offline())).toBe('inventory describe node/pl');
  });
});

describe('fish', () => {
  async function complete(line: string, environment = env): Promise<string[]> {
    const script = 'inventory completion fish | source; complete -C $argv[1]';
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script, line], { env: environment, cwd: empty });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean).sort();
  }

  test.each([
    ...common,
    ['inventory describe node/my', ['node/my db:1', 'node/my db:2']],
    ['inventory describe node/my\\ db', ['node/my db:1', 'node/my db:2']],
    ['inventory describe "node/my db:', ['node/my db:1', 'node/my db:2']],
  ] as [string, string[]][])('%s', async (line, expected) => {
    expect(await complete(line)).toEqual(expected);
  });

  test('is silent without a server', async () => {
    expect(await complete('inventory describe node/pl', offline())).toEqual([]);
  });
});

test('mandoc finds nothing wrong in the manual pages', async () => {
  const man = join(folder, 'package', 'man');
  const pages = (await readdir(man)).map((name) => join(man, name));
  expect(pages.length).toBeGreaterThan(50);
  const { stdout, stderr } = await run('mandoc', ['-T', 'lint', '-W', 'style', ...pages]).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  expect(stdout + stderr).toBe('');
});
