import { quietWorld } from '../../../tests/support/command-call.ts';
import { Interruption } from './core/exit-codes.ts';
import { run } from './run.ts';
import type { World } from './core/world.ts';

/** Runs the arguments; by default the server has no nodes. */
async function ended(argv: readonly string[], more: Partial<World> = {}) {
  let [out, err] = ['', ''];
  const world = quietWorld({
    fetch: () => Promise.resolve(Response.json({ nodes: [] })),
    ...more,
    env: { HOME: '/nowhere', INVENTORY_URL: 'https://a', INVENTORY_KEY: 'k', ...more.env },
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code: await run(argv, world), out, err };
}

const unauthenticated: World['fetch'] = () =>
  Promise.resolve(Response.json({ status: 'UNAUTHENTICATED', message: 'No.', details: [] }, { status: 401 }));

test('help is no error, and no arguments are wrong use with the same text', async () => {
  const help = await ended(['--help']);
  expect([help.code, help.err]).toEqual([0, '']);
  expect(help.out).toContain('Usage: inventory');
  expect(help.out).toMatch(/^  change   \S/m);
  expect((await ended([])).code).toBe(64);
  expect((await ended(['get', '--help'])).out).toContain('Examples:\n  inventory get');
});

test.each([[['gte']], [['get', 'nodes', '--colour']], [['get']]])('%j is wrong use, in one line', async (argv) => {
  const { code, out, err } = await ended(argv);
  expect([code, out, err.trimEnd().split('\n').length]).toEqual([64, '', 1]);
});

test('an error is one line for people, and an object where the format is JSON', async () => {
  const argv = ['get', 'node', 'absent'];
  expect(await ended(argv)).toEqual({ code: 5, out: '', err: 'Error: There is no node absent.\n' });
  const error = { code: 2, status: 'MISSING', message: 'There is no node absent.', details: [] };
  for (const format of [['-o', 'json'], ['-ojson'], ['--output=json']])
    expect(JSON.parse((await ended([...argv, ...format])).err)).toEqual(error);
  expect(JSON.parse((await ended(argv, { env: { INVENTORY_OUTPUT: 'json' } })).err)).toEqual(error);
});

test('without a key the error says how to give one; with a key it is that of the server', async () => {
  const without = await ended(['get', 'nodes'], { fetch: unauthenticated, env: { INVENTORY_KEY: '' } });
  expect([without.code, without.err]).toEqual([3, expect.stringMatching(/^Error: There is no key: set INVENTORY_KEY/)]);
  expect(await ended(['get', 'nodes'], { fetch: unauthenticated })).toMatchObject({ code: 3, err: 'Error: No.\n' });
});

test('an interruption ends a command at once, whatever it waits for', async () => {
  const controller = new AbortController();
  const reply = Promise.withResolvers<Response>();
  const fetch: World['fetch'] = () => {
    controller.abort(new Interruption('Interrupted.', 'interrupted'));
    return reply.promise;
  };
  const interrupted = await ended(['get', 'nodes'], { fetch, signal: controller.signal });
  expect(interrupted).toEqual({ code: 130, out: '', err: 'Error: Interrupted.\n' });
  reply.resolve(Response.json({ nodes: [] }));
  const early = await ended(['get', 'nodes'], {
    signal: AbortSignal.abort(new Interruption('Terminated.', 'terminated')),
  });
  expect(early.code).toBe(143);
});

test.each(['plan', 'apply', 'describe', 'import', 'summary', 'api'])(
  '%s refuses the formats of lists in a sentence, before a request',
  async (command) => {
    const args = new Map([
      ['plan', ['-f', 'absent']],
      ['apply', ['-f', 'absent']],
      ['describe', ['node/db-1']],
      ['import', ['absent']],
      ['api', ['GET', '/v1/nodes']],
    ]).get(command);
    for (const format of ['csv', 'name'])
      expect(
        await ended([command, ...(args ?? []), '-o', format], { fetch: () => Promise.reject(new Error('sent')) }),
      ).toEqual({
        code: 64,
        out: '',
        err: `Error: ${command} has no format ${format}. There are: table, wide, json, jsonl, yaml, markdown.\n`,
      });
  },
);
