import { type CommandOptions, commandCall, refusal } from '../../../../tests/support/command-call.ts';
import { run } from './change.ts';

const before = { node_id: 'n', node_name: 'db-1', revision: 3, region: 'eu', custom_labels: {} };

/** `change node/db-1 ...`; the patches of the first requests are refused because somebody else was faster. */
function change(args: readonly string[], conflicts = 0, more: CommandOptions = {}) {
  let left = conflicts;
  let revision = before.revision;
  const call = commandCall({
    ...more,
    args: ['node/db-1', ...args],
    answer: ({ method, path, body }) => {
      if (path.startsWith('/v1/nodes?')) return { nodes: [before] };
      if (method === 'GET') return { ...before, region: 'us', revision: (revision += 1) };
      if (left > 0) {
        left -= 1;
        return refusal(412);
      }
      return { ...before, ...body, revision: revision + 1 };
    },
  });
  const patches = () => call.sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  return { call, ended: run(call), patches };
}

test('a change is a merge patch: values, cleared fields, labels and removed labels', async () => {
  const { call, ended, patches } = change(['address=a=b', 'az-', 'label.team=dba', 'label.old-', 'label.a.b=']);
  await ended;
  expect(patches()).toEqual([{ address: 'a=b', az: null, custom_labels: { team: 'dba', old: null, 'a.b': '' } }]);
  expect(call.out()).toBe('node/db-1 changed, revision 4\n');
});

test('a field can be named as its option, without the kind of the object', async () => {
  const { ended, patches } = change(['model=m5', 'node-model=m6', 'labels.team=dba', 'stale-after-']);
  await ended;
  expect(patches()).toEqual([{ node_model: 'm6', custom_labels: { team: 'dba' }, stale_after: null }]);
});

test('the options of an addition are changes too, together with words', async () => {
  const options = { region: 'eu', nodeModel: 'm5', label: ['team=dba', 'old-'] };
  const { ended, patches } = change(['az-', 'label.env=prod'], 0, { options });
  await ended;
  expect(patches()).toEqual([
    { region: 'eu', node_model: 'm5', az: null, custom_labels: { team: 'dba', old: null, env: 'prod' } },
  ]);
});

test('an option of another kind of objects is refused before a request', async () => {
  const { call, ended } = change([], 0, { options: { port: '3306' } });
  await expect(ended).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining('--port') });
  expect(call.sent).toEqual([]);
});

test.each([[[]], [['region']], [['=x']], [['colour=red']]])('%j is no change', async (args) => {
  const { call, ended } = change(args);
  await expect(ended).rejects.toMatchObject({ exit: 'usage' });
  expect(call.sent).toEqual([]);
});

describe('when somebody else has changed the object', () => {
  test('a person sees both values, and the change is repeated on the new revision', async () => {
    const { call, ended, patches } = change(['region=ap'], 2, { world: { ask: () => Promise.resolve('y') } });
    await ended;
    expect(patches()).toHaveLength(3);
    const matches = call.sent.flatMap(({ headers }) => headers['If-Match'] ?? []);
    expect(matches).toEqual(['"3"', '"4"', '"5"']);
    expect(call.err()).toContain('region: was "eu", is "us", yours: "ap"\n');
    expect(call.out()).toBe('node/db-1 changed, revision 6\n');
  });

  test('a person can decline, and without one nothing is repeated', async () => {
    for (const world of [{ ask: () => Promise.resolve('n') }, { ask: () => Promise.resolve('') }, {}]) {
      const { ended, patches } = change(['region=ap'], 1, { world });
      await expect(ended).rejects.toMatchObject({ http: 412 });
      expect(patches()).toHaveLength(1);
    }
  });
});

test('a program gets the changed object itself', async () => {
  const { call, ended } = change(['region=us'], 0, { options: { output: 'json' } });
  await ended;
  expect(JSON.parse(call.out())).toEqual({ ...before, region: 'us', revision: 4 });
});
