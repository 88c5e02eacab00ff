import { manualClock } from '../../tests/support/manual-clock.ts';
import { candidateOf } from './admission.ts';
import { AdmissionDesk } from './admission-desk.ts';
import { Inventory, InventoryError } from './inventory.ts';
import { KEEP_MS } from './kept-admissions.ts';

const wordsOf = (error: unknown) => (error instanceof InventoryError ? `${error.status} ${error.message}` : error);

/** The service replies when the test says so. */
function start() {
  const asked: string[][] = [];
  const replies: ((status: number) => void)[] = [];
  const inventory = new Inventory(({ body }: { body?: any }) => {
    asked.push(
      body.admissions.map(
        (admission: any) => `${admission.pmm_agent_id} ${admission.authorization} ${admission.source_ip}`,
      ),
    );
    return new Promise((resolve) =>
      replies.push((status) => {
        const result = status === 200 ? { node_id: 'n', node_name: 'host' } : { error: { message: 'Refused.' } };
        resolve({ status: 200, body: { results: body.admissions.map(() => ({ status, ...result })) } });
      }),
    );
  });
  const clock = manualClock();
  const desk = new AdmissionDesk(inventory, () => ({ at: clock.now(), changes: [] }), clock);
  /** An agent's stream; `outcome` is the time of its admission, or the reason for its end. */
  const connect = (key = 'key', { id = 'p', source = '192.0.2.1' } = {}) => {
    const closing = new AbortController();
    const headers = { 'pmm-agent-id': id, authorization: `Bearer ${key}`, ':path': '/agent.Agent/Connect' };
    const stream = { outcome: undefined as unknown, close: () => closing.abort() };
    const admission = desk.admit(candidateOf(headers, source), closing.signal).then(({ position }) => position.at);
    void admission.catch((error: unknown) => wordsOf(error)).then((value) => (stream.outcome = value));
    return stream;
  };
  return { asked, desk, replies, pass: clock.pass, connect };
}

/** An agent gave up, and then the service admitted it. */
async function startAfterAdmission() {
  const world = start();
  const first = world.connect();
  await world.pass(20);
  first.close();
  world.replies[0]?.(200);
  await world.pass(0);
  return world;
}

const ended = '503 The inventory replied with 503.';

test('an agent that gave up gets the admission that it began, before and after the reply, with the age of the request', async () => {
  const { asked, replies, pass, connect } = start();
  const first = connect();
  await pass(20);
  await pass(5000);
  first.close();
  await pass(1000);
  const second = connect();
  await pass(1000);
  expect([first.outcome, second.outcome]).toEqual([ended, undefined]);
  second.close();
  replies[0]?.(200);
  await pass(KEEP_MS - 1000);
  const third = connect();
  await pass(0);
  expect([second.outcome, third.outcome]).toEqual([ended, 20]);
  expect(asked).toHaveLength(1);
});

test('an admission opens one stream, and later or parallel ones need new admissions', async () => {
  const { asked, replies, pass, connect } = start();
  const [first, two] = [connect(), connect()];
  await pass(20);
  expect(asked.flat()).toHaveLength(2);
  replies[0]?.(200);
  await pass(0);
  expect([first.outcome, two.outcome]).toEqual([20, 20]);
  first.close();
  two.close();
  connect();
  await pass(20);
  expect(asked.flat()).toHaveLength(3);
});

test.each([
  ['another key', 'other', {}],
  ['another id', 'key', { id: 'q' }],
  ['another address', 'key', { source: '192.0.2.2' }],
])('an admission does not apply to %s', async (_, key, more) => {
  const { asked, replies, pass, connect } = await startAfterAdmission();
  const second = connect(key, more);
  await pass(20);
  expect(asked).toHaveLength(2);
  replies[1]?.(403);
  await pass(0);
  expect(second.outcome).toBe('403 Refused.');
});

test('an unused admission is dropped, and a refusal at once', async () => {
  const { asked, replies, pass, connect } = await startAfterAdmission();
  await pass(KEEP_MS);
  const second = connect();
  await pass(20);
  expect(asked).toHaveLength(2);
  second.close();
  replies[1]?.(401);
  await pass(0);
  const third = connect();
  await pass(20);
  expect(asked).toHaveLength(3);
  replies[2]?.(401);
  await pass(0);
  expect([second.outcome, third.outcome]).toEqual([ended, '401 Refused.']);
});

test('checking a credential never uses a kept admission', async () => {
  const { asked, desk, replies, pass, connect } = start();
  const first = connect();
  await pass(20);
  first.close();
  replies[0]?.(200);
  await pass(0);
  const headers = { 'pmm-agent-id': 'p', authorization: 'Bearer key', ':path': '/agent.Agent/Connect' };
  const checked = desk.check(candidateOf(headers, '192.0.2.1'), new AbortController().signal);
  const outcome = expect(checked).rejects.toMatchObject({ status: 401 });
  await pass(20);
  expect(asked).toHaveLength(2);
  replies[1]?.(401);
  await outcome;
});
