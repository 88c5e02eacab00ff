import { App } from 'aws-cdk-lib';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readAssets } from '../../infra/assets/stored-assets.ts';
import { InventoryStack } from '../../infra/inventory-stack.ts';
import { buildPackage, OLDEST_PEERS } from '../../tools/package.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';
import { assetsOfRun } from './built-assets.ts';
import { inventoryApp, makeApp, runInApp, synthesise } from './library-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const LIMIT_MS = 600_000;
const settings = { logRetentionDays: 90, alarmEmail: 'ops@example.com', throttleRate: 50 };

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

/** An inventory with constructs of another stack. */
const withConstructs = `
const { App, Stack } = require('aws-cdk-lib');
const { Certificate } = require('aws-cdk-lib/aws-certificatemanager');
const { Vpc } = require('aws-cdk-lib/aws-ec2');
const { EventBus } = require('aws-cdk-lib/aws-events');
const { ManagedPolicy, PolicyStatement } = require('aws-cdk-lib/aws-iam');
const { Key } = require('aws-cdk-lib/aws-kms');
const { PublicHostedZone } = require('aws-cdk-lib/aws-route53');
const { Bucket } = require('aws-cdk-lib/aws-s3');
const { MonitoringInventory } = require('monitoring-inventory');
const app = new App();
const own = new Stack(app, 'Own');
const domainName = 'inventory.example.com';
new MonitoringInventory(new Stack(app, 'MonitoringInventory'), 'Inventory', {
  domainName,
  vpc: new Vpc(own, 'Vpc'),
  certificate: new Certificate(own, 'Certificate', { domainName }),
  hostedZone: new PublicHostedZone(own, 'HostedZone', { zoneName: 'example.com' }),
  accessLogs: new Bucket(own, 'AccessLogs'),
  boundary: new ManagedPolicy(own, 'Boundary', { statements: [new PolicyStatement({ actions: ['*'], resources: ['*'] })] }),
  eventBus: new EventBus(own, 'Bus'),
  encryptionKey: new Key(own, 'AppKey'),
});
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
let packed: string;
let versions: Record<string, string>;
let context: object;
let checkout: any;
/** The examples of the documents with the package. */
let examples: string[];

const templateOf = (program: [string, ...string[]], flags: object, from = app) => synthesise(from, program, flags);

/** An app with the package, and other packages in these versions. */
async function appWith(name: string, others: Record<string, string>): Promise<string> {
  const made = join(folder, name);
  const names = Object.entries(others).map(([other, version]) => `${other}@${version}`);
  const files = { 'app.js': inventoryApp(settings), 'constructs.js': withConstructs };
  await makeApp(made, files, [packed, ...names]);
  return made;
}

const kindsOf = (resources: object) =>
  Object.entries<any>(resources)
    .map(([id, { Type }]) => `${Type} ${id}`)
    .sort();

/** The template of this repository, for the same settings. */
async function templateOfCheckout(): Promise<any> {
  const assets = readAssets(await assetsOfRun(join(folder, 'assets')));
  const checkoutApp = new App({ outdir: join(folder, 'checkout'), context: { ...context } });
  const stack = new InventoryStack(checkoutApp, 'MonitoringInventory', { inventory: { ...settings, assets } });
  return checkoutApp.synth().getStackByName(stack.stackName).template;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-'));
  ({ context } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')));
  ({ devDependencies: versions } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  packed = await buildPackage(join(folder, 'package'));
  const names = ['aws-cdk-lib', 'constructs', '@types/node'];
  app = await appWith('app', Object.fromEntries(names.map((name) => [name, versions[name]!])));
  await writeFile(join(app, 'app.ts'), typescript);
  const page = (name: string) => readFile(join(root, `docs/${name}.md`), 'utf8');
  const objects = await page('cdk');
  examples = [await page('library'), objects, await page('sso')].flatMap((text) =>
    fencedBlocks(text, 'ts').filter((code) => code.includes("from 'monitoring-inventory'")),
  );
  const files = examples.map((_, index) => `example-${index}.ts`);
  for (const [index, code] of examples.entries()) await writeFile(join(app, files[index]!), code);
  await writeFile(join(app, 'fleet.yaml'), fencedBlocks(objects, 'yaml')[0]!);
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ ...tsconfig, files: [...tsconfig.files, ...files] }));
  checkout = await templateOfCheckout();
}, LIMIT_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compiles the app in TypeScript, and the examples of the documents. */
let compilation: Promise<string> | undefined;
const compile = () =>
  (compilation ??= runInApp(app, [process.execPath, join(root, 'node_modules/.bin/tsc'), '-p', '.']));

const PACKAGE = 'node_modules/monitoring-inventory';
const installed = (path: string) => readFile(join(app, PACKAGE, path), 'utf8');

test('a JavaScript app deploys the same as this repository', async () => {
  expect(await templateOf(['app.js'], context)).toEqual(checkout);
});

test(
  'a TypeScript app has the types, and deploys the same without outputs',
  async () => {
    await compile();
    const { Outputs: _, ...template } = checkout;
    expect(await templateOf(['compiled/app.js'], context)).toEqual(template);
    const { Resources: more } = await templateOf(['compiled/app.js', 'extended'], context);
    const added = Object.entries<any>(more).filter(([id]) => !Object.hasOwn(template.Resources, id));
    expect(added.map(([, { Type }]) => Type).sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
    ]);
  },
  LIMIT_MS,
);

test(
  "the documents' examples deploy what they show, and the first one of objects has five lines",
  async () => {
    expect(examples[2]!.trim().split('\n')).toHaveLength(5);
    await compile();
    const types: string[][] = [];
    for (const index of examples.keys()) {
      const outdir = await mkdtemp(join(folder, 'out-'));
      await runInApp(app, ['node', `compiled/example-${index}.js`], { CDK_OUTDIR: outdir });
      const files = (await readdir(outdir)).filter((file) => file.endsWith('.template.json'));
      const templates = await Promise.all(files.map((file) => readFile(join(outdir, file), 'utf8')));
      types.push(templates.flatMap((text) => Object.values<any>(JSON.parse(text).Resources).map(({ Type }) => Type)));
    }
    expect(types).toEqual([
      expect.arrayContaining(['AWS::ApiGateway::RestApi', 'AWS::SNS::Subscription']),
      expect.arrayContaining(['AWS::ApiGateway::RestApi', 'AWS::CloudWatch::Dashboard']),
      expect.arrayContaining(['Custom::InventoryNode']),
      expect.arrayContaining(['Custom::InventoryNode', 'Custom::InventoryService']),
      expect.arrayContaining(['Custom::InventoryFleet']),
      expect.arrayContaining(['AWS::Events::Rule', 'AWS::SQS::Queue']),
      expect.arrayContaining([
        'AWS::ApiGateway::RestApi',
        'AWS::Cognito::UserPoolClient',
        'AWS::Cognito::UserPoolGroup',
      ]),
    ]);
  },
  LIMIT_MS,
);

test('an app without CDK feature flags deploys the same resources', async () => {
  expect(kindsOf((await templateOf(['app.js'], {})).Resources)).toEqual(kindsOf(checkout.Resources));
});

/** Every construct of the other stack is referred to. */
function expectConstructs(template: object): void {
  const text = JSON.stringify(template);
  const ids = ['VpcPrivateSubnet1', 'Certificate', 'HostedZone', 'AccessLogs', 'Boundary', 'Bus', 'AppKey'];
  expect(ids.filter((id) => !new RegExp(`"(Fn::ImportValue|OutputName)":"[^"]*${id}`).test(text))).toEqual([]);
  expect(text.includes('AWS::KMS::Key"')).toBe(false);
}

test('an app passes its own constructs', async () => expectConstructs(await templateOf(['constructs.js'], context)));

test(
  'apps with the oldest and the newest permitted CDK versions deploy the same resources',
  async () => {
    const newest = JSON.parse(
      await runInApp(app, ['npm', 'view', `aws-cdk-lib@^${OLDEST_PEERS['aws-cdk-lib']}`, 'version', '--json']),
    );
    const last = String([newest].flat().at(-1));
    const others = new Map<string, Record<string, string>>([
      ['oldest', OLDEST_PEERS],
      ['newest', { 'aws-cdk-lib': last, constructs: '10' }],
    ]);
    // The app of the other tests has this version.
    if (last === versions['aws-cdk-lib']) others.delete('newest');
    for (const [name, peers] of others) {
      const other = await appWith(name, peers);
      expect(kindsOf((await templateOf(['app.js'], context, other)).Resources)).toEqual(kindsOf(checkout.Resources));
      expectConstructs(await templateOf(['constructs.js'], context, other));
      await rm(other, { recursive: true });
    }
  },
  2 * LIMIT_MS,
);

test('the package contains only what it needs', async () => {
  const manifest = JSON.parse(await installed('package.json'));
  expect(manifest).toMatchObject({ main: 'lib/index.js', types: 'lib/index.d.ts' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(Object.keys(manifest.peerDependencies).sort()).toEqual(['aws-cdk-lib', 'constructs']);
  expect(await installed('lib/index.js')).not.toContain(root);
  const files = await readdir(join(app, PACKAGE), { recursive: true, withFileTypes: true });
  // The documents name it, and so does their search.
  const isDocument = (name: string) => name.endsWith('.html') || name === 'search.json';
  for (const file of files.filter((entry) => entry.isFile() && !isDocument(entry.name))) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    // The simulator of IAM in our tests is under a licence that would pass to the package.
    expect([file.name, /@cloud-copilot|AFFERO/.test(content)]).toEqual([file.name, false]);
  }
  expect(await installed('THIRD-PARTY-LICENSES.txt')).toContain('zod');
  expect(await installed('dist/functions/publishSite/site/licenses.txt')).toContain('react');
});

test("every link in the package's documents leads to one of its files", async () => {
  const documents = ['README.md', ...(await readdir(join(app, PACKAGE, 'docs'))).map((name) => `docs/${name}`)];
  const broken: string[] = [];
  for (const document of documents.filter((name) => name.endsWith('.md')))
    for (const [, link] of (await installed(document)).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
      const target = join(app, PACKAGE, dirname(document), link!);
      if (!(await stat(target).catch(() => undefined))) broken.push(`${document}: ${link}`);
    }
  expect(broken).toEqual([]);
  expect(await installed('docs/settings.md')).toContain('| `stackName` |');
});

test('every setting has a documented default, and docs/library.md has every member', async () => {
  const types = await installed('lib/index.d.ts');
  const props = ['InventorySettings', 'InventoryConstructs']
    .map((name) => new RegExp(`interface ${name} \\{([\\s\\S]*?)^\\}`, 'm').exec(types)![1])
    .join('');
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
