/** docs/releases.md: the provider by a mirror of files, which terraform init installs. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { terraformProgram } from '../terraform/programs.ts';
import { releaseOfRun, withoutCheckout } from './artefacts.ts';
import { type ServerWithKey, startServerWithKey } from './server-with-key.ts';

const LIMIT_MS = 2_400_000;
const { version, file } = await releaseOfRun();
const packed = await file(/^terraform-provider-.*\.zip$/);

test(
  'terraform init installs the provider from the mirror of the page, in its version, and apply adds the node of the example',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'release-terraform-'));
    let inventory: ServerWithKey | undefined;
    try {
      const program = await terraformProgram();
      await cp(packed, join(folder, basename(packed)));
      const page = await readFile('docs/releases.md', 'utf8');
      const registry = basename(program) === 'tofu' ? 'registry.opentofu.org' : 'registry.terraform.io';
      const commands = fencedBlocks(page, 'sh').find((block) => block.includes('mkdir -p mirror'))!;
      const options = { cwd: folder, limitMilliseconds: LIMIT_MS };
      await run(['bash', '-euc', commands.replaceAll('registry.terraform.io', registry)], {
        ...options,
        env: process.env,
      });
      const [, block = ''] = /```\n(provider_installation[\s\S]*?)```/.exec(page) ?? [];
      await writeFile(join(folder, 'mirror.rc'), block.replace('/path/to/mirror', join(folder, 'mirror')));
      await mkdir(join(folder, 'work'));
      const example = await readFile('docs/terraform.md', 'utf8');
      await writeFile(join(folder, 'work/main.tf'), fencedBlocks(example, 'hcl')[0]!);
      inventory = await startServerWithKey(join(folder, 'data'));
      const env = {
        ...withoutCheckout(),
        ...inventory.connection,
        ...{ TF_CLI_CONFIG_FILE: join(folder, 'mirror.rc'), CHECKPOINT_DISABLE: '1' },
      };
      const terraform = (...words: string[]) =>
        run([program, ...words], { ...options, cwd: join(folder, 'work'), env });
      await terraform('init', '-no-color');
      expect(await terraform('version', '-no-color')).toContain(`monitoring-inventory/inventory v${version}`);
      const installed = await readdir(join(folder, 'work/.terraform'), { recursive: true });
      const provider = installed.find((name) => /terraform-provider-inventory_v[^/]*$/.test(name))!;
      const said = await run([join(folder, 'work/.terraform', provider), '--version'], { ...options, env });
      expect(said).toBe(`terraform-provider-inventory ${version}\n`);
      await terraform('apply', '-auto-approve', '-no-color');
      expect(await inventory.read('/v1/nodes')).toContain('"node_name":"db-1"');
    } finally {
      await inventory?.server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
