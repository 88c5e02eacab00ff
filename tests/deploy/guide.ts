import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployerEnvironment, type DeployTarget } from './cdk.ts';
import { run } from './processes.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 1_200_000;

/** The commands of docs/deploy.md up to the deployment, in the order of the text. */
export async function commandsOfGuide({ account }: Pick<DeployTarget, 'account'>): Promise<string[]> {
  const blocks = fencedBlocks(await readFile(join(root, 'docs/deploy.md'), 'utf8'), 'sh');
  const last = blocks.findIndex((block) => block.includes('cdk deploy'));
  return blocks
    .slice(0, last + 1)
    .map((block) => block.replaceAll('<account>', account).replaceAll('<region>', 'us-east-1'));
}

/** Follows docs/deploy.md in a new copy of the repository, without anything that was installed or built; resolves with what it prints. */
export async function followGuide(target: DeployTarget): Promise<string> {
  const copy = join(target.home, 'copy');
  await mkdir(copy);
  const files = 'git ls-files -z --cached --others --exclude-standard';
  const environment = { ...process.env };
  await run(['bash', '-c', `${files} | xargs -0 cp --parents --target-directory "$0"`, copy], {
    cwd: root,
    env: environment,
    limitMilliseconds: LIMIT_MS,
  });
  const env = {
    ...deployerEnvironment(target),
    // With the Node of the user, and without the packages of this copy.
    PATH: (process.env['PATH'] ?? '')
      .split(':')
      .filter((folder) => !folder.includes('node_modules'))
      .join(':'),
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
  };
  const script = ['set -euo pipefail', ...(await commandsOfGuide(target))].join('\n');
  return run(['bash', '-c', script], { cwd: copy, env, limitMilliseconds: LIMIT_MS });
}
