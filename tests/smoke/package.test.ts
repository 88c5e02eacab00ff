import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inventoryApp, makeApp, synthesise } from '../deploy/library-app.ts';
import { run } from '../deploy/processes.ts';
import { story, WAIT_LIMIT_MS } from './story.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const step = story();

let folder: string;
let packed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smoke-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  '`npm run package` packs the npm package and prints its path',
  step(async () => {
    const options = { cwd: root, env: process.env, limitMilliseconds: WAIT_LIMIT_MS };
    const printed = await run(['npm', 'run', '-s', 'package'], options);
    packed = printed.trim().split('\n').at(-1)!;
    expect(packed).toMatch(/\.tgz$/);
  }),
);

test(
  'the package, installed in an empty CDK app, synthesises a stack with the API',
  step(async () => {
    const app = join(folder, 'app');
    // No registry is asked: the peers are those of this project. tests/deploy/library.test.ts installs others.
    await makeApp(app, { 'app.js': inventoryApp({}) }, [packed], ['--offline', '--legacy-peer-deps']);
    for (const peer of ['aws-cdk-lib', 'constructs'])
      await symlink(join(root, 'node_modules', peer), join(app, 'node_modules', peer));
    const { Resources } = await synthesise(app, ['app.js']);
    const types = Object.values<any>(Resources).map(({ Type }) => Type);
    expect(types).toEqual(expect.arrayContaining(['AWS::ApiGateway::RestApi', 'AWS::DynamoDB::GlobalTable']));
  }),
);
