import { commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { run } from './wait.ts';

/** `wait node/db-1 --for ...`, while the list of nodes has these objects, one after the other. */
function wait(condition: string | undefined, states: readonly (object | undefined)[]) {
  const rest = [...states];
  const call = commandCall({
    args: ['node/db-1'],
    options: { for: condition },
    answer: () => {
      const state = rest.length > 1 ? rest.shift() : rest[0];
      return { nodes: state === undefined ? [] : [{ node_id: 'n', node_name: 'db-1', ...state }] };
    },
  });
  return { call, ended: run(call) };
}

test.each([
  ['live', [{ state: 'stale' }, undefined, { state: 'live' }], 2],
  ['removed', [{ state: 'live' }, undefined], 1],
  ['region=eu', [{}, { region: 'us' }, { region: 'eu' }], 2],
  ['revision=3', [{ revision: 2 }, { revision: 3 }], 1],
  ['removing=true', [{}, { removing: true }], 1],
  ['address=a=b', [{ address: 'a' }, { address: 'a=b' }], 1],
  ['model=m5', [{}, { node_model: 'm5' }], 1],
  ['label.team=dba', [{}, { custom_labels: { team: 'dba' } }], 1],
  ['az=', [{ az: 'x' }, {}, { az: '' }], 2],
])('--for %s waits for that state', async (condition, states, pauses) => {
  const { call, ended } = wait(condition, states);
  await ended;
  expect(call.pauses).toHaveLength(pauses);
});

test.each([undefined, 'soon', '=x', 'a b=c', 'colour=red'])(
  '--for %s is refused before a request',
  async (condition) => {
    const { call, ended } = wait(condition, [{}]);
    await expect(ended).rejects.toMatchObject({ exit: 'usage' });
    expect(call.sent).toEqual([]);
  },
);

test('an error that is not the absence of the object ends the wait', async () => {
  const call = commandCall({ args: ['node/db-1'], options: { for: 'removed' }, answer: () => refusal(403) });
  await expect(run(call)).rejects.toMatchObject({ http: 403 });
});
