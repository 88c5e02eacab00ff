import { commandCall } from '../../../../tests/support/command-call.ts';
import { run } from './lint.ts';

const file = (node: string) =>
  `scope:\n  selector: fleet=a\nnodes:\n  - node_name: db-1\n    node_type: generic\n${node}`;

async function lint(text: string, options: object = {}) {
  const world = { readInput: () => Promise.resolve(text) };
  const call = commandCall({ options: { file: ['-'], output: 'csv', ...options }, world });
  await run(call);
  return { out: call.out(), sent: call.sent };
}

test('counts the objects of each file, without a request', async () => {
  const text = file('    address: 10.0.0.1\n    custom_labels:\n      fleet: a\n');
  expect(await lint(text)).toEqual({ out: 'file,nodes,services,agents\nstdin,1,0,0\n', sent: [] });
});

test('an address that only its present owner may have is refused without --existing', async () => {
  const text = file('    address: "not an address"\n    custom_labels:\n      fleet: a\n');
  await expect(lint(text)).rejects.toMatchObject({
    message: expect.stringMatching(/^stdin:6:\d+ nodes\[0\]\.address/),
  });
  expect((await lint(text, { existing: true })).out).toBe('file,nodes,services,agents\nstdin,1,0,0\n');
});

test('--stored lists stored values that a new object may not have, and takes no file', async () => {
  const node = { node_id: 'n', node_type: 'generic', node_name: 'db-1', address: 'not an address', custom_labels: {} };
  const answer = ({ path }: { path: string }) => ({
    ...{ nodes: path.startsWith('/v1/nodes') ? [node] : [], services: [], agents: [] },
  });
  const call = commandCall({ options: { stored: true, output: 'csv' }, answer });
  await run(call);
  expect(call.out()).toMatch(/^object,field,message\nnode\/db-1,address,.+\n$/);
  const both = commandCall({ options: { stored: true, file: ['-'] }, answer });
  await expect(run(both)).rejects.toThrow('Leave out --file.');
  expect(both.sent).toEqual([]);
});
