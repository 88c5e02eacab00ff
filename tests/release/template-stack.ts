import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { basic, type Request } from '../deploy/api.ts';
import { deployerEnvironment } from '../deploy/cdk.ts';
import { type EmulatedAccount, openAccount } from '../deploy/emulated-account.ts';
import { run } from '../deploy/processes.ts';
import { pathOf } from '../deploy/programs.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const LIMIT_MS = 900_000;
const BUCKET = 'release-files';

/** An account of the emulator that was never bootstrapped, with the stack of a template. */
export interface TemplateStack {
  emulated: EmulatedAccount;
  bucket: string;
  /** Deploys a packed template as docs/releases.md says, in a folder of its own. @param parameters in place of those of the page. */
  deploy: (packed: string, parameters?: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs commands with the AWS command line, in the folder of the last template. */
  shell: (commands: string) => Promise<string>;
  /** Sends a request of the administrator. */
  request: Request;
}

export async function openTemplateStack(): Promise<TemplateStack> {
  const [ministack, aws] = [await pathOf('ministack'), await pathOf('aws')];
  const page = await readFile('docs/releases.md', 'utf8');
  const commands = fencedBlocks(page, 'sh').find((block) => block.includes('cloudformation deploy'));
  if (commands === undefined) throw new Error('docs/releases.md does not deploy the template.');
  const emulated = await openAccount(ministack);
  await emulated.account.createBucket(BUCKET);
  let [folder, deployments] = [emulated.target.home, 0];
  const shell = (text: string) =>
    run(['bash', '-euo', 'pipefail', '-c', `aws() { '${aws}' "$@"; }\n${text}`], {
      cwd: folder,
      env: { ...deployerEnvironment(emulated.target), BUCKET },
      limitMilliseconds: LIMIT_MS,
    });
  return {
    emulated,
    bucket: BUCKET,
    shell,
    deploy: async (packed, parameters = {}) => {
      folder = join(emulated.target.home, `release-${(deployments += 1)}`);
      await mkdir(folder);
      await cp(packed, join(folder, basename(packed)));
      const overrides = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
      await shell(overrides.length === 0 ? commands : commands.replace(/AlarmEmail=\S+/, overrides.join(' ')));
    },
    request: async (method, path, call) => {
      const [secret = ''] = (await emulated.account.secrets()).filter((name) => name.includes('AdminPassword'));
      const as = basic('admin', await emulated.account.secret(secret));
      return (await emulated.requests())(method, path, { as, ...call });
    },
  };
}
