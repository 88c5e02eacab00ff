/** A pipeline that gates on `plan`: the review has a key that cannot write, the merge applies exactly the reviewed plan. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listAudit, listNodes, upsertNode } from '../../clients/typescript/src/index.ts';
import { assertCode, startStory, type Story } from './story.ts';

let story: Story;
beforeAll(async () => {
  story = await startStory();
  await mkdir(join(story.folder, 'fleets'));
});
afterAll(() => story.stop());

/** Nodes of the fleet with these addresses. */
const propose = (addresses: readonly string[]) =>
  writeFile(
    join(story.folder, 'fleets', 'shop.yaml'),
    [
      'scope: { selector: fleet=shop, max_removals_percent: 50 }',
      'defaults: { custom_labels: { fleet: shop } }',
      'nodes:',
      ...addresses.map((address, index) => `  - { node_type: generic, node_name: shop-${index}, address: ${address} }`),
      '',
    ].join('\n'),
  );

const review = () => story.run('pull-request.sh', { role: 'Viewer' });
const merge = () => story.run('merge.sh', { role: 'Editor' });
const comment = () => readFile(join(story.folder, 'comment.md'), 'utf8');

async function addresses(): Promise<string[]> {
  const listed: string[] = [];
  for await (const { address } of listNodes(story.admin, { selector: 'fleet=shop' })) listed.push(address);
  return listed;
}

test('a review shows the differences as Markdown and changes nothing; the merge applies them', async () => {
  await propose(['10.0.7.1', '10.0.7.2']);
  assertCode(await review(), 2);
  expect(await comment()).toMatch(/^\| .*\n\| ?---[^]*\| add \| node shop-0 \|[^]*\| add \| node shop-1 \|/m);
  expect(await addresses()).toEqual([]);
  assertCode(await merge());
  expect(await addresses()).toEqual(['10.0.7.1', '10.0.7.2']);
  // The next review has nothing to show.
  assertCode(await review());
});

test('a file with an error fails the review with its line', async () => {
  await propose(['10.0.7.1', '169.254.169.254']);
  const { code, err } = await review();
  expect([code, err]).toEqual([64, expect.stringMatching(/fleets\/shop\.yaml:5:\d+ nodes\[1\]\.address: /)]);
});

test('the key of the review cannot merge', async () => {
  await propose(['10.0.7.1', '10.0.7.3']);
  assertCode(await review(), 2);
  expect(await comment()).toContain('| change | node shop-1 | address: 10.0.7.2 -> 10.0.7.3 |');
  const { code } = await story.run('merge.sh', { role: 'Viewer' });
  expect([code, await addresses()]).toEqual([3, ['10.0.7.1', '10.0.7.2']]);
});

test('a merge after another change of the inventory ends with 6 and writes nothing', async () => {
  await propose(['10.0.7.1', '10.0.7.3']);
  assertCode(await review(), 2);
  const other = { node_type: 'generic', node_name: 'shop-1', address: '10.0.7.9', custom_labels: { fleet: 'shop' } };
  await upsertNode(story.admin, other as never);
  const changes = async () => (await listAudit(story.admin, { event: 'node.changed', page_size: 1000 })).entries.length;
  const before = await changes();
  assertCode(await merge(), 6);
  expect([await addresses(), await changes()]).toEqual([['10.0.7.1', '10.0.7.9'], before]);
  // Another review, another plan.
  assertCode(await review(), 2);
  assertCode(await merge());
  expect(await addresses()).toEqual(['10.0.7.1', '10.0.7.3']);
});
