/** An autoscaling group of 50 instances is replaced in ten rounds, while each event is delivered twice. */
import { listAudit, listNodes } from '../../clients/typescript/src/index.ts';
import { assertCode, startStory, type Story } from './story.ts';

const INSTANCES = 50;
const ROUNDS = 10;

let story: Story;
beforeAll(async () => (story = await startStory({ hasCommandLine: false })));
afterAll(() => story.stop());

/** Names of the instances of a generation, from one position to another. */
const names = (generation: 'old' | 'new', from = 0, to = INSTANCES) =>
  Array.from({ length: to - from }, (_, index) => `i-${generation}-${String(from + index).padStart(2, '0')}`);

const event = (type: 'Launch' | 'Terminate') => (name: string) =>
  JSON.stringify({
    'detail-type': `EC2 Instance ${type} Successful`,
    region: 'eu-central-1',
    detail: {
      EC2InstanceId: name,
      AutoScalingGroupName: 'databases',
      Details: { 'Availability Zone': 'eu-central-1a' },
    },
  });

/** Runs the function for the events of a round; of each event, it receives a copy at the same time. */
async function deliver(events: readonly string[]): Promise<void> {
  const input = [...events, ...events].map((line) => `${line}\n`).join('');
  assertCode(await story.run('autoscaling-group.ts', { input }));
}

test('only the last 50 instances remain, and the audit has each addition and removal once', async () => {
  await deliver(names('old').map(event('Launch')));
  const size = INSTANCES / ROUNDS;
  for (let from = 0; from < INSTANCES; from += size)
    await deliver([
      ...names('new', from, from + size).map(event('Launch')),
      ...names('old', from, from + size).map(event('Terminate')),
    ]);

  const present: string[] = [];
  const group = { selector: 'autoscaling_group=databases', page_size: 1000 };
  for await (const { node_name } of listNodes(story.admin, group)) present.push(node_name);
  expect(present).toEqual(names('new'));

  const seen: string[] = [];
  for (const nodeEvent of ['node.added', 'node.changed', 'node.removed'] as const)
    for await (const { event: type, subject } of listAudit(story.admin, { page_size: 1000, event: nodeEvent }))
      seen.push(`${type} ${subject?.name}`);
  const added = [...names('old'), ...names('new')].map((name) => `node.added ${name}`);
  const removed = names('old').map((name) => `node.removed ${name}`);
  expect(seen.sort()).toEqual([...added, ...removed].sort());
});
