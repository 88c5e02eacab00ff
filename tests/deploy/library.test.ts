import { App } from 'aws-cdk-lib';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildAssets } from '../../infra/assets/assets.ts';
import { InventoryStack } from '../../infra/inventory-stack.ts';
import { buildPackage } from '../../tools/package.ts';
import { run } from './processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;
const settings = { logRetentionDays: 90, alarmEmail: 'ops@example.com', throttleRate: 50 };

const javascript = `
const { App } = require('aws-cdk-lib');
const { InventoryStack } = require('monitoring-inventory');
new InventoryStack(new App(), 'MonitoringInventory', { inventory: ${JSON.stringify(settings)} });
`;

const typescript = `
import { App, Stack } from 'aws-cdk-lib';
import { Role, AccountRootPrincipal } from 'aws-cdk-lib/aws-iam';
import { type InventorySettings, MonitoringInventory } from 'monitoring-inventory';

const settings: InventorySettings = ${JSON.stringify(settings)};
const stack = new Stack(new App(), 'MonitoringInventory', { description: 'Monitoring inventory: nodes, services and agents' });
const inventory = new MonitoringInventory(stack, 'Inventory', settings);
const url: string = inventory.baseUrl;
// @ts-expect-error: the types of the settings are known
export const wrong: InventorySettings = { throttleRate: 'fast' };
// @ts-expect-error: the types of members are known
export const number: number = url;
if (process.argv[2] === 'extended') {
  inventory.grantReadPassword(new Role(stack, 'Operators', { assumedBy: new AccountRootPrincipal() }));
  inventory.metricServerErrors().createAlarm(stack, 'Errors', { threshold: 0, evaluationPeriods: 1 });
}
`;

/** As \`cdk init app --language typescript\` writes it, in short. */
const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['es2022'],
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'compiled',
    rootDir: '.',
  },
  files: ['app.ts'],
};

let folder: string;
let app: string;
let context: object;
let checkout: any;

/** Runs a program in the app; npm has the settings of the machine. */
const inApp = (command: string[], environment: NodeJS.ProcessEnv = {}) =>
  run(command, { cwd: app, env: { ...process.env, ...environment }, limitMilliseconds: LIMIT_MS });

async function templateOf(program: string, flags: object, ...args: string[]): Promise<any> {
  const outdir = await mkdtemp(join(folder, 'out-'));
  await inApp(['node', program, ...args], { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(flags) });
  return JSON.parse(await readFile(join(outdir, 'MonitoringInventory.template.json'), 'utf8'));
}

/** The template of this repository, for the same settings. */
async function templateOfCheckout(): Promise<any> {
  const assets = await buildAssets(join(folder, 'assets'));
  const own = new App({ outdir: join(folder, 'checkout'), context: { ...context } });
  const stack = new InventoryStack(own, 'MonitoringInventory', { inventory: { ...settings, assets } });
  return own.synth().getStackByName(stack.stackName).template;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
  app = join(folder, 'app');
  await mkdir(app);
  ({ context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')));
  const { devDependencies: versions } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const packed = await buildPackage(join(folder, 'package'));
  await writeFile(join(app, 'package.json'), '{ "private": true }');
  await writeFile(join(app, 'app.js'), javascript);
  await writeFile(join(app, 'app.ts'), typescript);
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify(tsconfig));
  const others = ['aws-cdk-lib', 'constructs', '@types/node'].map((name) => `${name}@${versions[name]}`);
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await inApp(['npm', 'install', ...options, packed, ...others]);
  checkout = await templateOfCheckout();
}, LIMIT_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (path: string) => readFile(join(app, 'node_modules/monitoring-inventory', path), 'utf8');

test('an app in JavaScript deploys the same as this repository', async () => {
  expect(await templateOf('app.js', context)).toEqual(checkout);
});

test(
  'an app in TypeScript has the types, and deploys the same without outputs',
  async () => {
    await inApp([process.execPath, join(root, 'node_modules/.bin/tsc'), '-p', '.']);
    const { Outputs: _, ...template } = checkout;
    expect(await templateOf('compiled/app.js', context)).toEqual(template);
    const { Resources: more } = await templateOf('compiled/app.js', context, 'extended');
    const added = Object.entries<any>(more).filter(([id]) => !Object.hasOwn(template.Resources, id));
    expect(added.map(([, { Type }]) => Type).sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
    ]);
  },
  LIMIT_MS,
);

test('an app without feature flags of the CDK deploys the same resources', async () => {
  const { Resources: plain } = await templateOf('app.js', {});
  const { Resources: flagged } = checkout;
  const kindsOf = (resources: object) =>
    Object.entries<any>(resources)
      .map(([id, { Type }]) => `${Type} ${id}`)
      .sort();
  expect(kindsOf(plain)).toEqual(kindsOf(flagged));
});

test('the package contains nothing of this repository but what it needs', async () => {
  const manifest = JSON.parse(await installed('package.json'));
  expect(manifest).toMatchObject({ main: 'lib/index.js', types: 'lib/index.d.ts' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(Object.keys(manifest.peerDependencies).sort()).toEqual(['aws-cdk-lib', 'constructs']);
  expect(await installed('lib/index.js')).not.toContain(root);
  expect(await installed('THIRD-PARTY-LICENSES.txt')).toContain('zod');
  expect(await installed('dist/functions/publishSite/site/licenses.txt')).toContain('react');
});

test('every setting has a documented default, and docs/library.md has every member', async () => {
  const types = await installed('lib/index.d.ts');
  const [, props = ''] = /export interface InventorySettings \{([\s\S]*?)^\}/m.exec(types) ?? [];
  const documented = [...props.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\?:/g)];
  expect(documented.map(([, , name]) => name)).toEqual(
    [...props.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name),
  );
  expect(documented.filter(([, comment]) => !comment!.includes('@default'))).toEqual([]);
  expect(documented.length).toBeGreaterThan(15);

  const [, members = ''] = /export declare class MonitoringInventory [^{]*\{([\s\S]*?)^\}/m.exec(types) ?? [];
  const names = [...members.matchAll(/^\t(?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name!);
  const readme = await installed('README.md');
  expect(names.filter((name) => name !== 'constructor' && !new RegExp(`\`${name}[\`(]`).test(readme))).toEqual([]);
  expect(names).toContain('metricLatency');
});
