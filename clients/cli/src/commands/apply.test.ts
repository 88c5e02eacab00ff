import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandOptions, commandCall, refusal, type SentRequest } from '../../../../tests/support/command-call.ts';
import { Interruption } from '../core/exit-codes.ts';
import type { World } from '../core/world.ts';
import { run } from './apply.ts';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inventory-apply-'));
  file = join(folder, 'fleet.yaml');
  await writeFile(file, 'scope: { selector: fleet=a }\n');
});
afterAll(() => rm(folder, { recursive: true }));

const counts = (total: number, done = 0, failed = 0, skipped = 0) => ({ total, done, failed, skipped });

const plan = (more: object = {}) => ({
  ...{ plan_id: 'p', state: 'planned', progress: counts(2) },
  ...{ in_scope: 2, add: 0, change: 0, remove: 0, unchanged: 0, blocked: 0, items: [] },
  ...more,
});

const isPlan = ({ body }: SentRequest) => body?.mode === 'plan';
const applies = (sent: readonly SentRequest[]) => sent.filter(({ body }) => body?.mode === 'apply').length;

/** `apply -f fleet.yaml` with these replies to the plan and to each request after it. */
function apply(planned: object, replies: readonly object[] = [], more: CommandOptions = {}) {
  const rest = [...replies];
  const call = commandCall({
    ...more,
    options: { file: [file], ...more.options },
    answer: (request) => (isPlan(request) ? plan(planned) : rest.shift()),
  });
  return { call, ended: run(call) };
}

const done = { ...plan(), state: 'done', progress: counts(2, 2) };

describe('the question before an apply', () => {
  const decline = () => Promise.resolve('n');

  test.each([{ add: 1 }, { change: 1 }, { remove: 1 }])('is asked for a plan of %j alone', async (planned) => {
    const { call, ended } = apply(planned, [], { world: { ask: decline } });
    await expect(ended).rejects.toMatchObject({ message: 'Nothing was changed.', exit: 'failed' });
    expect(applies(call.sent)).toBe(0);
  });

  test('needs a terminal or --yes', async () => {
    const { call, ended } = apply({ remove: 1 });
    await expect(ended).rejects.toMatchObject({ exit: 'usage', message: expect.stringContaining('--yes') });
    expect(applies(call.sent)).toBe(0);
    const confirmed = apply({ remove: 1 }, [done], { options: { yes: true } });
    expect(await confirmed.ended).toBeUndefined();
    expect(applies(confirmed.call.sent)).toBe(1);
  });

  test('is not asked when nothing differs', async () => {
    const { call, ended } = apply({ plan_id: undefined, unchanged: 2 });
    expect(await ended).toBeUndefined();
    expect(applies(call.sent)).toBe(0);
  });

  test('follows the plan, and yes applies it', async () => {
    const shown: string[] = [];
    const ask = (question: string) => {
      shown.push(question);
      return Promise.resolve(' Yes ');
    };
    const { call, ended } = apply({ add: 1, remove: 2 }, [done], { world: { ask } });
    expect(await ended).toBeUndefined();
    expect(shown).toEqual(['Apply? [y/N] ']);
    expect(call.out()).toMatch(/1 to add, 0 to change, 2 to remove[^]*done, 2 of 2 done, 0 failed, 0 blocked\.\n$/);
  });
});

describe('an incomplete apply ends as partial', () => {
  const yes = { options: { yes: true } };
  test.each([
    ['failed items', { add: 1 }, { progress: counts(2, 1, 1) }],
    ['a stop', { add: 1 }, { state: 'stopped' }],
    ['blocked items', { add: 1 }, { blocked: 1 }],
    ['a refusal', { add: 1 }, { refusal: 'Too many removals.' }],
  ])('with %s', async (_, planned, reply) => {
    expect(await apply(planned, [{ ...done, ...reply }], yes).ended).toBe('partial');
  });

  test.each([{ blocked: 1 }, { refusal: 'Too many removals.' }])(
    'with %j in the plan, before a change',
    async (counts) => {
      const { call, ended } = apply({ add: 1, ...counts }, [], yes);
      await expect(ended).rejects.toMatchObject({ exit: 'partial' });
      expect(applies(call.sent)).toBe(0);
    },
  );

  test('with blocked items in the plan that --on-blocked continue leaves out', async () => {
    const { call, ended } = apply({ add: 1, blocked: 1 }, [done], { options: { yes: true, onBlocked: 'continue' } });
    expect(await ended).toBe('partial');
    expect(applies(call.sent)).toBe(1);
  });
});

test('each failed or blocked step is named by its node, service or agent type, with the reason', async () => {
  const items = [
    { kind: 'node', action: 'add', node_name: 'a-1', outcome: 'failed', error: { code: 'x', message: 'Taken.' } },
    { kind: 'service', action: 'add', service_name: 'a-db', blocked: 'No node.' },
    { kind: 'agent', action: 'add', agent_type: 'node_exporter', outcome: 'failed' },
    { kind: 'node', action: 'add', node_name: 'a-2', outcome: 'done' },
  ];
  const result = { ...done, progress: counts(3, 1, 2), blocked: 1, items };
  const { call, ended } = apply({ add: 4 }, [result], { options: { yes: true, onBlocked: 'continue' } });
  expect(await ended.catch((error: unknown) => error)).not.toBeInstanceOf(TypeError);
  const named = call
    .err()
    .split('\n')
    .filter((line) => /: (node|service|agent) /.test(line));
  expect(named).toEqual([
    `${file}: node a-1: Taken.`,
    `${file}: service a-db: No node.`,
    `${file}: agent node_exporter: failed`,
  ]);
});

test('a plan that is outdated when applied is made and asked for again, at most five times', async () => {
  const replies = Array.from({ length: 9 }, () => refusal(412));
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.resolve('y');
  };
  const { call, ended } = apply({ add: 1 }, replies, { world: { ask } });
  await expect(ended).rejects.toMatchObject({ http: 412 });
  expect([asked, applies(call.sent), call.sent.filter(isPlan).length]).toEqual([5, 5, 5]);
});

test('another refusal than that of an outdated plan ends the command without a new plan', async () => {
  const { call, ended } = apply({ add: 1 }, [refusal(409)], { options: { yes: true } });
  await expect(ended).rejects.toMatchObject({ http: 409 });
  expect(call.sent.filter(isPlan)).toHaveLength(1);
});

test('the refusal of an apply is printed, if there is one', async () => {
  const errorsOf = async (more: object) => {
    const { call, ended } = apply({ add: 1 }, [{ ...done, ...more }], { options: { yes: true, quiet: true } });
    await ended;
    return call.err();
  };
  expect(await errorsOf({ refusal: 'Too many removals.' })).toBe(`${file}: Too many removals.\n`);
  expect(await errorsOf({})).toBe('');
});

describe('an apply that is interrupted', () => {
  const interruption = new Interruption('Interrupted.', 'interrupted');
  const cancelled = (more: object = {}) => ({
    ...{ plan_id: 'p', state: 'cancelled', failures: [], created_at: '', expires_at: '' },
    ...{ progress: counts(3, 1) },
    ...more,
  });

  /** The command is interrupted while it applies; then the job is as these replies say. */
  async function interrupted(jobs: readonly object[]) {
    const controller = new AbortController();
    const rest = [...jobs];
    const call = commandCall({
      options: { file: [file], yes: true },
      world: { signal: controller.signal },
      answer: (request) => {
        if (isPlan(request)) return plan({ add: 3 });
        if (request.path.endsWith('/cancel')) return cancelled();
        if (request.method === 'GET') return rest.length > 1 ? rest.shift() : rest[0];
        controller.abort(interruption);
        throw new TypeError('cut');
      },
    });
    await expect(run(call)).rejects.toBeDefined();
    const [last] = call.out().trimEnd().split('\n').slice(-1);
    const reads = call.sent.filter(({ method }) => method === 'GET').length;
    const cancels = call.sent.filter(({ path }) => path === '/v1/reconcile/p/cancel').length;
    return { last, reads, cancels, pauses: call.pauses, err: call.err() };
  }

  test('cancels the job, and says what was done once its last step has ended', async () => {
    const { last, reads, cancels, pauses } = await interrupted([
      cancelled(),
      cancelled({ progress: counts(3, 2) }),
      cancelled({ progress: counts(3, 2), reason: 'It was cancelled.' }),
    ]);
    expect(last).toBe(`${file}: cancelled, 2 of 3 done, 0 failed.`);
    expect([cancels, reads, pauses]).toEqual([1, 3, [250, 250]]);
  });

  test.each([
    ['all steps are done', cancelled({ progress: counts(3, 3) }), 'cancelled, 3 of 3 done, 0 failed.'],
    [
      'all are done, failed or skipped',
      cancelled({ progress: counts(3, 1, 1, 1) }),
      'cancelled, 1 of 3 done, 1 failed.',
    ],
    ['it was done before', cancelled({ state: 'done', progress: counts(3, 2) }), 'done, 2 of 3 done, 0 failed.'],
  ])('does not wait if %s', async (_, job, text) => {
    const { last, pauses } = await interrupted([job]);
    expect([last, pauses]).toEqual([`${file}: ${text}`, []]);
  });

  test('waits four seconds at most: the process ends soon after', async () => {
    const { last, reads, pauses } = await interrupted([cancelled()]);
    expect(last).toBe(`${file}: cancelled, 1 of 3 done, 0 failed.`);
    expect([reads, pauses.reduce((sum, time) => sum + time, 0)]).toEqual([16, 3750]);
  });

  test('names the job if its end cannot be read', async () => {
    const { err } = await interrupted([refusal(500)]);
    expect(err).toContain('The server may go on: inventory job wait p\n');
  });
});

describe('with --no-wait an apply ends while the job runs', () => {
  const begun = { ...plan(), state: 'applying', progress: counts(2, 1) };

  test('people read how the job can be followed', async () => {
    const { call, ended } = apply({ add: 2 }, [begun], { options: { yes: true, wait: false } });
    expect(await ended).toBeUndefined();
    expect(call.out()).toMatch(/applying, 1 of 2 done, 0 failed, 0 blocked\.\ninventory job wait p\n$/);
    expect(call.sent.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  test('programs read the id of the job', async () => {
    const { call, ended } = apply({ add: 2 }, [begun], { options: { yes: true, wait: false, output: 'json' } });
    expect(await ended).toBeUndefined();
    expect(JSON.parse(call.out())).toMatchObject({ state: 'applying', plan_id: 'p', done: 1 });
  });
});

test('it takes a plan file or -f, and not both', async () => {
  for (const call of [commandCall({}), commandCall({ args: ['plan.json'], options: { file: [file] } })]) {
    await expect(run(call)).rejects.toMatchObject({ exit: 'usage' });
    expect(call.sent).toEqual([]);
  }
});

describe('a plan file', () => {
  /** Applies a file of two reviewed plans, with these replies. */
  async function applyReviewed(replies: object[], onRequest = () => {}, world: Partial<World> = {}) {
    const planFile = join(folder, 'plan.json');
    const plans = ['a', 'b'].map((name) => ({
      ...{
        file: `${name}.yaml`,
        digest: `digest-${name}`,
        request: { scope: { selector: `fleet=${name}` } },
        items: [],
      },
    }));
    await writeFile(planFile, JSON.stringify({ format: 1, plans }));
    const answer = () => {
      onRequest();
      return replies.shift();
    };
    const call = commandCall({ args: [planFile], answer, world });
    return { exit: await run(call), call };
  }

  test('is applied as it was reviewed, without a question', async () => {
    const { exit, call } = await applyReviewed([done, done]);
    expect(exit).toBeUndefined();
    expect(call.sent.map(({ body }) => body)).toEqual(
      ['a', 'b'].map((name) => ({
        mode: 'apply',
        scope: { selector: `fleet=${name}` },
        plan_digest: `digest-${name}`,
      })),
    );
    expect(call.out()).toContain('b.yaml: done, 2 of 2 done, 0 failed, 0 blocked.\n');
  });

  test('is followed until its job ends', async () => {
    const { call, exit } = await applyReviewed([{ ...plan(), state: 'applying', progress: counts(2, 1) }, done, done]);
    expect([exit, call.sent.length]).toEqual([undefined, 3]);
    expect(call.err()).toContain('a.yaml: applying, 1 of 2\na.yaml: done, 2 of 2\n');
  });

  test('whose first or last part is incomplete is partial', async () => {
    const failed = { ...done, progress: counts(2, 1, 1) };
    expect((await applyReviewed([failed, done])).exit).toBe('partial');
    expect((await applyReviewed([done, failed])).exit).toBe('partial');
  });

  test('whose job is not known yet when the process ends is to be applied again', async () => {
    const leaving = new AbortController();
    const { call } = await applyReviewed([done, done], () => leaving.abort(), { leaving: leaving.signal });
    expect(call.err()).toContain('The server may go on. To see the result, apply a.yaml again.\n');
  });
});
