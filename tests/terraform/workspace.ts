import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { bearer, type Client, clientOf, makeKeys, PASSWORD } from '../end-to-end/client.ts';
import { clientEnvironment } from '../support/client-environment.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { providerFolder, terraformProgram } from './programs.ts';

export const SOURCE = 'monitoring-inventory/inventory';

/** A configuration in JSON: resources by type and name. */
export interface Configuration {
  resource?: Record<string, Record<string, object>>;
  [block: string]: unknown;
}

export interface Outcome {
  /** The exit code. */
  code: number;
  /** All that it printed. */
  text: string;
}

/** A difference that a plan found. */
export interface PlannedChange {
  address: string;
  change: { actions: string[]; before: any; after: any; after_unknown: any };
}

/** A server with the keys of all roles, and folders with configurations for it. */
export interface Bench {
  server: RunningServer;
  keys: Record<'Viewer' | 'Editor' | 'Admin', string>;
  editor: Client;
  admin: Client;
  folder: string;
  workspace: (name: string, environment?: Record<string, string>) => Promise<Workspace>;
  stop: () => Promise<void>;
}

/** One configuration with its state. */
export interface Workspace {
  folder: string;
  /** Runs terraform with these arguments. */
  run: (...args: string[]) => Promise<Outcome>;
  /** Writes the configuration. */
  write: (configuration: Configuration | string) => Promise<void>;
  /** @throws Error unless it succeeds. */
  apply: (...args: string[]) => Promise<string>;
  /** The differences of a plan. @throws Error if it fails. */
  plan: () => Promise<PlannedChange[]>;
  /** All files of the folder as one text. */
  state: () => Promise<string>;
  loseState: () => Promise<void>;
}

const providers = { required_providers: { inventory: { source: SOURCE } } };

/** The output from the first error on. */
const errorsOf = (text: string) => text.slice(Math.max(0, text.indexOf('Error: '))).slice(0, 6000);

const execute = promisify(execFile);

const MAX_OUTPUT = 2 ** 28;

/** Ends with this code if a plan has differences. */
const HAS_DIFFERENCES = 2;

async function newWorkspace(folder: string, env: NodeJS.ProcessEnv): Promise<Workspace> {
  const program = await terraformProgram();
  await mkdir(folder, { recursive: true });
  const run = (...args: string[]) =>
    new Promise<Outcome>((resolve) => {
      const options = { cwd: folder, env, maxBuffer: MAX_OUTPUT };
      execFile(program, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        // Messages are wrapped in frames, which differ between programs.
        resolve({ code, text: `${stdout}${stderr}`.replace(/[│╷╵]/g, '').replace(/\s+/g, ' ') });
      });
    });
  const checked = async (...args: string[]) => {
    const { code, text } = await run(...args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code}\n${errorsOf(text)}`);
    return text;
  };
  const plan = async (): Promise<PlannedChange[]> => {
    const { code, text } = await run('plan', '-no-color', '-input=false', '-detailed-exitcode', '-out=plan');
    if (code === 0) return [];
    if (code !== HAS_DIFFERENCES) throw new Error(errorsOf(text));
    const { stdout: shown } = await execute(program, ['show', '-json', 'plan'], {
      cwd: folder,
      env,
      maxBuffer: MAX_OUTPUT,
    });
    const { resource_changes: changes = [], output_changes: outputs = {} } = JSON.parse(shown);
    const differs = ({ change }: PlannedChange) => !['no-op', 'read'].includes(change.actions[0]!);
    return [
      ...changes.filter(differs),
      ...Object.entries<any>(outputs).flatMap(([name, change]) =>
        change.actions[0] === 'no-op' ? [] : [{ address: `output.${name}`, change }],
      ),
    ];
  };
  return {
    folder,
    run,
    plan,
    write: (configuration) =>
      typeof configuration === 'string'
        ? writeFile(join(folder, 'main.tf'), configuration)
        : writeFile(join(folder, 'main.tf.json'), JSON.stringify({ terraform: providers, ...configuration })),
    apply: (...args) => checked('apply', '-no-color', '-input=false', '-auto-approve', ...args),
    state: () => readFile(join(folder, 'terraform.tfstate'), 'utf8'),
    loseState: () => rm(join(folder, 'terraform.tfstate')),
  };
}

/** Starts a server for configurations. */
export async function startBench(): Promise<Bench> {
  const folder = await newDataDir();
  const server = await startServer(join(folder, 'data'), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { keys } = await makeKeys(server);
  const settings = join(folder, 'terraform.rc');
  await writeFile(
    settings,
    `provider_installation {\n  dev_overrides { "${SOURCE}" = "${providerFolder}" }\n  direct {}\n}\n`,
  );
  const environment = {
    ...clientEnvironment(),
    TF_CLI_CONFIG_FILE: settings,
    CHECKPOINT_DISABLE: '1',
    INVENTORY_URL: server.base,
    INVENTORY_CA: join(folder, 'data/tls-cert.pem'),
    INVENTORY_KEY: keys.Admin,
  };
  return {
    server,
    keys,
    folder,
    editor: clientOf(server, bearer(keys.Editor)),
    admin: clientOf(server, bearer(keys.Admin)),
    workspace: (name, more = {}) => newWorkspace(join(folder, basename(name)), { ...environment, ...more }),
    stop: async () => {
      await server.stop();
      await removeDataDir(folder);
    },
  };
}
