import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes.ts';

const LIMIT_MS = 600_000;

/** An app of the CDK, as JavaScript, with one stack: the inventory with these settings. */
export const inventoryApp = (settings: object): string => `
const { App } = require('aws-cdk-lib');
const { InventoryStack } = require('monitoring-inventory');
new InventoryStack(new App(), 'MonitoringInventory', { inventory: ${JSON.stringify(settings)} });
`;

/** Runs a program in an app; npm has the settings of the machine. Without the CDK's own validation, which only warns. */
export const runInApp = (app: string, command: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  run(command, {
    cwd: app,
    env: { ...process.env, CDK_VALIDATION: 'false', ...environment },
    limitMilliseconds: LIMIT_MS,
  });

/** Makes the folder of an app with these files and packages. `options` are those of `npm install`. */
export async function makeApp(
  app: string,
  files: Readonly<Record<string, string>>,
  packages: readonly string[],
  options: readonly string[] = ['--prefer-offline'],
): Promise<void> {
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{ "private": true }');
  for (const [name, text] of Object.entries(files)) await writeFile(join(app, name), text);
  await runInApp(app, ['npm', 'install', ...options, '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
}

/** Synthesises an app into a new folder inside it. @returns the template of the inventory. */
export async function synthesise(
  app: string,
  [program, ...args]: readonly [string, ...string[]],
  flags: object = {},
): Promise<any> {
  const outdir = await mkdtemp(join(app, 'out-'));
  await runInApp(app, ['node', program, ...args], { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(flags) });
  return JSON.parse(await readFile(join(outdir, 'MonitoringInventory.template.json'), 'utf8'));
}
