import { randomUUID } from 'node:crypto';
import { describeInFull, inFull, testInFull } from '../../shared/testing/extent.ts';
import { type MonotonicClock, processClock } from '../../shared/core/monotonic-clock.ts';
import { checkInvariants, scan } from '../consistency/invariants.ts';
import type { RequestCase } from './calls.ts';
import { type FaultyInventory, startFaultyInventory } from './faulty-inventory.ts';
import { complaintsAbout, judge, type Judgement, pastTheAuthorizer, prepareAll, timed } from './outcome.ts';
import type { Fault, Refusal, Rule } from './proxy.ts';

/** One of the requests needs no table once it is known who calls. */
const WITHOUT_TABLE = 1;

/** Time passes at a quarter of the speed: all requests at once may take a slow machine longer than their deadline. */
const slowClock: MonotonicClock = {
  now: () => processClock.now() / 4,
  after: (milliseconds, ...work) => processClock.after(milliseconds * 4, ...work),
};
let clock = processClock;
let inventory: FaultyInventory;
let prepared: RequestCase[];
let asPrepared: () => Promise<void>;
beforeAll(async () => {
  const monotonic: MonotonicClock = { now: () => clock.now(), after: (...timer) => clock.after(...timer) };
  inventory = await startFaultyInventory(1, monotonic);
  prepared = await prepareAll(inventory);
  asPrepared = await inventory.keepData();
});
afterAll(() => inventory.stop());
beforeEach(async () => {
  await asPrepared();
  inventory.newInstances();
});

/** All requests at once; fails with everything that is wrong. */
async function under(...rules: Rule[]): Promise<Judgement> {
  const judgement = await judge(inventory, prepared, rules);
  expect(judgement.complaints).toEqual([]);
  return judgement;
}

const broken: Fault['kind'][] = inFull(['lost call', 'lost answer', 'half answer', 'error after all'], ['lost answer']);

describe.each(broken)('%s', (kind) => {
  beforeAll(() => (clock = slowClock));
  afterAll(() => (clock = processClock));
  const fault = { kind } as Fault;

  test.each(inFull([[[1]], [[1, 2]]], [[[1, 2]]]))(
    'of attempts %j: every request gets its usual reply, with one effect',
    async (attempts) => {
      expect(await under({ fault, attempts })).toMatchObject({ unavailable: [] });
    },
  );

  test('of every attempt: 503, at most one effect, and the next attempt gets the truth', async () => {
    const { unavailable } = await under({ fault, ...pastTheAuthorizer });
    expect(unavailable).toHaveLength(prepared.length - WITHOUT_TABLE);
  });
});

const turnedAway: [string, Refusal[]][] = [
  ['throttling', ['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']],
  ['a failing engine', ['InternalServerError', 'ServiceUnavailable']],
];

/** One of the errors each time, with even odds. */
const oneOf = (errors: readonly Refusal[], more: Partial<Rule>): Rule[] =>
  errors.map((error, index) => ({
    fault: { kind: 'refusal', error },
    probability: 1 / (errors.length - index),
    ...more,
  }));

for (const [what, errors] of turnedAway)
  describeInFull(what, () => {
    test('at the first attempt: every request succeeds with one effect', async () => {
      clock = slowClock;
      expect(await under(...oneOf(errors, { attempts: [1] }))).toMatchObject({ unavailable: [] });
    });
    afterEach(() => (clock = processClock));

    test('at every attempt: 503, and the next try succeeds', async () => {
      const { unavailable, slowestMs } = await under(...oneOf(errors, pastTheAuthorizer));
      expect(unavailable).toHaveLength(prepared.length - WITHOUT_TABLE);
      expect(slowestMs).toBeLessThan(14_500);
    });
  });

testInFull('conflicts with others, half of the time: every request succeeds, and took effect once', async () => {
  expect(await under({ fault: { kind: 'conflict' }, probability: 0.5 })).toMatchObject({ unavailable: [] });
});

testInFull('batches of which a part is left out: nothing is missing', async () => {
  expect(await under({ fault: { kind: 'unprocessed' }, probability: 0.3 })).toMatchObject({ unavailable: [] });
});

describeInFull('a transaction whose answer was lost, and that is said to be in progress', () => {
  const lost: Rule = { fault: { kind: 'lost answer' }, operations: ['TransactWriteItems'], attempts: [1] };
  const inProgress = (attempts: number[]): Rule => ({
    fault: { kind: 'refusal', error: 'TransactionInProgressException' },
    attempts,
  });

  test('for a while: its request gets its usual reply', async () => {
    expect(await under(lost, inProgress([2]))).toMatchObject({ unavailable: [] });
  });

  test('for too long: 503, as unknown, instead of a conflict with itself', async () => {
    const { unavailable } = await under(lost, inProgress([2, 3]));
    expect(unavailable.length).toBeGreaterThan(10);
  });
});

// DynamoDB remembers the tokens of transactions for ten minutes, come what may; an embedded engine only while it lives.
testInFull(
  'an engine that took a repetition for a new request: nothing is done twice, and it is no fault of ours',
  async () => {
    const { proxy, request, table } = inventory;
    const before = await scan(table);
    proxy.disturb({ fault: { kind: 'lost answer' }, operations: ['TransactWriteItems'], attempts: [1] });
    proxy.through(({ body, ...call }, forward) =>
      forward({ ...call, body: 'ClientRequestToken' in body ? { ...body, ClientRequestToken: randomUUID() } : body }),
    );
    const outcomes = await Promise.all(
      prepared.map(({ method, path, call }) => timed(() => request(method, path, call))),
    );
    proxy.through(undefined);
    proxy.disturb();
    expect(outcomes.flatMap((outcome, index) => complaintsAbout(prepared[index]!.what, outcome))).toEqual([]);
    const after = await scan(table);
    for (const [index, { what, status, again, effects }] of prepared.entries()) {
      // To its own repetition the first attempt is somebody else's.
      expect([what, status, again, 404, 409, 412, 503]).toContain(outcomes[index]!.reply.status);
      expect([what, 0, 1]).toContain(effects(after, before));
    }
    expect(await checkInvariants(table)).toEqual([]);
  },
);
