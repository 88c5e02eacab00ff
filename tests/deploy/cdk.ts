import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ASSETS_ENV, assetsOfRun } from './built-assets.ts';
import { assertEmulator } from './guard.ts';
import { run } from './processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const REGION = 'us-east-1';
const LIMIT_MS = 600_000;

export interface DeployTarget {
  endpoint: string;
  account: string;
  /** Folder for all that the CDK writes, and its home, so that it sees no configuration of a person. */
  home: string;
}

/** The only environment a deployment here gets: nothing of the caller's but the PATH. */
export function deployerEnvironment({ endpoint, account, home }: DeployTarget): NodeJS.ProcessEnv {
  assertEmulator({ endpoint, account });
  return {
    PATH: [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(':'),
    HOME: home,
    TMPDIR: home,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DEFAULT_ACCOUNT: account,
    CDK_DEFAULT_REGION: REGION,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    // Its findings are warnings, and take 10 s of processor time for each synthesis. `npm run synth` prints those of the real template.
    CDK_VALIDATION: 'false',
    // Takes the place of the app in cdk.json.
    CDK_APP: 'node tests/deploy/app.ts',
  };
}

/** The same, with assets that are built: each synthesis would build them again. */
export async function environmentWithAssets(target: DeployTarget): Promise<NodeJS.ProcessEnv> {
  const environment = deployerEnvironment(target);
  return { ...environment, [ASSETS_ENV]: await assetsOfRun(join(target.home, 'assets')) };
}

export interface Deployment {
  outputs: Record<string, string>;
  template: string;
  printed: string;
}

/** The real command-line tool, as the documentation uses it. */
export class Cdk {
  readonly target: DeployTarget;
  private environment: Promise<NodeJS.ProcessEnv> | undefined;

  constructor(target: DeployTarget) {
    this.target = target;
  }

  private run(args: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Promise<string> {
    const command = [process.execPath, join(root, 'node_modules/aws-cdk/bin/cdk'), '--no-color', ...args];
    return run(command, { cwd, env, limitMilliseconds: LIMIT_MS });
  }

  private get assembly(): string {
    return join(this.target.home, 'cdk.out');
  }

  /** In a folder without an app, which the command would synthesise. update.test.ts runs it as docs/deploy.md does. */
  bootstrap(): Promise<string> {
    const { CDK_APP: _, ...env } = deployerEnvironment(this.target);
    return this.run(['bootstrap', `aws://${this.target.account}/${REGION}`], env, this.target.home);
  }

  async deploy(settings: Record<string, string> = {}): Promise<Deployment> {
    const { outputs, printed } = await this.deployStack(settings);
    const template = await readFile(join(this.assembly, 'MonitoringInventory.template.json'), 'utf8');
    return { outputs: Object.values(outputs)[0]!, template, printed };
  }

  private async deployStack(settings: Record<string, string>) {
    const file = join(this.target.home, 'outputs.json');
    const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.environment ??= environmentWithAssets(this.target);
    const args = ['deploy', '--output', this.assembly, '--outputs-file', file, ...context];
    const printed = await this.run(args, await this.environment);
    const outputs = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
    return { outputs, printed };
  }

  /**
   * Runs commands of a document, which begin with `npx cdk`, in a folder whose `cdk.json` keeps the settings. Questions of the
   * command are answered with yes.
   */
  async follow(commands: string, settings: Record<string, string> = {}) {
    this.environment ??= environmentWithAssets(this.target);
    const folder = join(this.target.home, 'project');
    const file = join(folder, 'outputs.json');
    await mkdir(folder, { recursive: true });
    const { context, ...others } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8'));
    const ownSettings = { output: this.assembly, outputsFile: file, context: { ...context, ...settings } };
    await writeFile(join(folder, 'cdk.json'), JSON.stringify({ ...others, ...ownSettings }));
    // The folder has no app of its own.
    const env = { ...(await this.environment), CDK_APP: `node ${join(root, 'tests/deploy/app.ts')}` };
    const script = [
      'set -euo pipefail',
      `npx() { shift; "${process.execPath}" "${join(root, 'node_modules/aws-cdk/bin/cdk')}" --no-color "$@"; }`,
      commands.replaceAll('cdk destroy', 'cdk destroy --force'),
    ].join('\n');
    const options = { cwd: folder, env, limitMilliseconds: 3 * LIMIT_MS };
    const printed = await run(['bash', '-c', script], options);
    const outputs = await readFile(file, 'utf8').catch(() => '{}');
    return { outputs: JSON.parse(outputs) as Record<string, Record<string, string>>, printed };
  }

  /** Removes what was deployed last. */
  destroy(): Promise<string> {
    return this.run(['destroy', '--force', '--app', this.assembly], deployerEnvironment(this.target));
  }
}
