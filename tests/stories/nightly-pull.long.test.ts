/** A nightly `pull` into Git: a night without changes has no commit, and a changed label is one line of a difference. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addService, changeNode, listNodes, upsertNode } from '../../clients/typescript/src/index.ts';
import { assertCode, startStory, type Story } from './story.ts';

let story: Story;
let repository: string;
beforeAll(async () => {
  story = await startStory();
  repository = join(story.folder, 'repository');
  await mkdir(repository);
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'nightly');
  await git('config', 'user.email', 'nightly@inventory.example');
});
afterAll(() => story.stop());

async function git(...args: string[]): Promise<string> {
  const env = { ...process.env, HOME: story.folder, GIT_CONFIG_NOSYSTEM: '1' };
  return (await promisify(execFile)('git', args, { cwd: repository, env })).stdout;
}

const pull = async () =>
  assertCode(await story.run('nightly-pull.sh', { cwd: repository, role: 'Viewer', args: ['shop', 'bank'] }));

const commits = async () => (await git('log', '--format=%s')).trim().split('\n').length;

test('each night makes a commit with the lines that people changed', async () => {
  for (const fleet of ['shop', 'bank'])
    for (let number = 1; number <= 3; number += 1) {
      const name = `${fleet}-${number}`;
      const custom_labels = { fleet, team: 'dba' };
      const { node_id } = await upsertNode(story.admin, {
        ...{ node_type: 'generic', node_name: name, address: `${name}.example`, custom_labels },
      });
      const service = { service_type: 'mysql', service_name: `${name}-db`, address: `${name}.example`, port: 3306 };
      await addService(story.admin, { ...service, node_ids: [node_id], custom_labels } as never);
    }
  await pull();
  expect((await git('ls-files')).trim().split('\n')).toEqual(['fleets/fleet=bank.yaml', 'fleets/fleet=shop.yaml']);
  await pull();
  expect(await commits()).toBe(1);

  const [node] = (await listNodes(story.admin, { selector: 'node_name=shop-2' })).nodes;
  await changeNode(story.admin, { node_id: node!.node_id, custom_labels: { team: 'search' } }, { ifMatch: 1 });
  await pull();
  expect(await commits()).toBe(2);
  const difference = await git('show', '--format=', '--unified=0');
  expect(difference.split('\n').filter((line) => /^[+-]/.test(line))).toEqual([
    '--- a/fleets/fleet=shop.yaml',
    '+++ b/fleets/fleet=shop.yaml',
    '-      team: dba',
    '+      team: search',
  ]);
  // A reader needs the name of the object, which is a few lines above.
  expect(await git('show', '--format=', '--unified=8')).toContain('node_name: shop-2');
});

test('a server failure fails the night, and changes no file', async () => {
  const before = await git('rev-parse', 'HEAD');
  await writeFile(join(repository, 'marker'), '');
  const env = { INVENTORY_KEY: 'minv_wrong' };
  const { code, err } = await story.run('nightly-pull.sh', { cwd: repository, args: ['shop'], env });
  expect([code, err]).toEqual([3, expect.stringContaining('Invalid API key')]);
  expect([await git('rev-parse', 'HEAD'), await git('status', '--porcelain')]).toEqual([before, '?? marker\n']);
});
