import { type CommandOptions, commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { addition, declaration } from './add.ts';

const before = {
  node_id: 'n',
  node_name: 'db-1',
  address: 'a',
  region: 'eu',
  revision: 3,
  custom_labels: { team: 'a' },
};

/** `set node db-1 --address b`; the first declarations are refused because somebody else was faster. */
function set(more: CommandOptions = {}, conflicts = 0) {
  let left = conflicts;
  const call = commandCall({
    ...more,
    args: ['db-1'],
    options: { address: 'b', ...more.options },
    answer: ({ method, body }) => {
      if (method === 'GET') return { nodes: [{ ...before, revision: 3 + conflicts - left }] };
      left -= 1;
      return left >= 0 ? refusal(412) : { ...body, node_name: 'db-1', outcome: 'changed' };
    },
  });
  const puts = () => call.sent.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['If-Match']);
  return { call, ended: declaration('node').run(call), puts };
}

const CLEARED = 'node/db-1: region: eu -> none, labels -team';

test('without a terminal a declaration is made, and cleared values are printed beside the result', async () => {
  const { call, ended, puts } = set();
  await ended;
  expect([call.out(), call.err(), puts()]).toEqual(['node/db-1 changed\n', `${CLEARED}\n`, [undefined]]);
  const quiet = set({ options: { quiet: true } });
  await quiet.ended;
  expect(quiet.call.err()).toBe('');
});

test('a person is asked before values are cleared, and the answer applies to the shown revision', async () => {
  const questions: string[] = [];
  const ask = (question: string) => {
    questions.push(question);
    return Promise.resolve('y');
  };
  const { ended, puts } = set({ world: { ask } }, 1);
  await ended;
  expect(questions).toEqual(Array.from({ length: 2 }, () => `This clears values of ${CLEARED}. Continue? [y/N] `));
  expect(puts()).toEqual(['"3"', '"4"']);
});

test('a person can decline, and nothing is changed', async () => {
  const { ended, puts } = set({ world: { ask: () => Promise.resolve('') } });
  await expect(ended).rejects.toMatchObject({ exit: 'failed', message: 'Nothing was changed.' });
  expect(puts()).toEqual([]);
});

test('nobody is asked with --yes, or when nothing is cleared', async () => {
  const ask = () => Promise.reject(new Error('asked'));
  await set({ world: { ask }, options: { yes: true } }).ended;
  const complete = set({ world: { ask }, options: { region: 'us', label: ['team=b'] } });
  await complete.ended;
  expect([complete.call.err(), complete.puts()]).toEqual(['', [undefined]]);
});

test('the error about an agent with a node in place of its agent process names the option', async () => {
  const nodeId = '2b4f3f0e-0000-4000-8000-000000000000';
  const call = commandCall({
    args: ['node_exporter'],
    options: { runsOnNodeId: nodeId },
    answer: () =>
      Response.json(
        {
          code: 3,
          status: 'INVALID_ARGUMENT',
          message: 'm',
          details: [{ field: 'pmm_agent_id', reason: 'required', message: 'Required' }],
        },
        { status: 400 },
      ),
  });
  await expect(addition('agent').run(call)).rejects.toThrow(
    `An agent of the type node_exporter runs under the pmm_agent of its node: use --pmm-agent-id ${nodeId} instead of --runs-on-node-id.`,
  );
});

test('a program gets the declared object itself', async () => {
  const { call, ended } = set({ options: { output: 'json' } });
  await ended;
  expect(JSON.parse(call.out())).toMatchObject({ node_name: 'db-1', address: 'b' });
});
