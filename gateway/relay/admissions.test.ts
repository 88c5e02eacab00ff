import { manualClock } from '../../tests/support/manual-clock.ts';
import { pause } from '../../shared/core/monotonic-clock.ts';
import { AdmissionDesk } from './admission-desk.ts';
import { candidateOf } from './admission.ts';
import { Inventory, type InventoryRequest } from './inventory.ts';

const open = new AbortController().signal;

const position = () => ({ at: 0, changes: [] });

const candidate = (id: string, authorization = 'Bearer key') =>
  candidateOf({ 'pmm-agent-id': id, authorization, ':path': '/agent.Agent/Connect' }, '192.0.2.1');

/** A desk of a service that admits each process but those with `no` in their id, with the requests that it got. */
function start() {
  const clock = manualClock();
  const requests: (InventoryRequest & { body: any })[] = [];
  const inventory = new Inventory(async (request) => {
    const { path, body } = request as { path: string; body: any };
    requests.push({ ...request, body });
    if (path !== '/v1/gateway/admissions')
      return { status: 200, body: { agent_id: 'p', runs_on_node_id: 'n', node_name: 'host' } };
    const results = body.admissions.map(({ pmm_agent_id: id }: any) =>
      id.includes('no')
        ? { status: 403, pmm_agent_id: id, error: { message: 'Access denied.' } }
        : { status: 200, pmm_agent_id: id, node_id: `n-${id}`, node_name: id, agents: [], services: [] },
    );
    await pause({ monotonic: clock }, 20);
    return { status: 200, body: { results } };
  });
  return { requests, clock, desk: new AdmissionDesk(inventory, position, clock) };
}

test('simultaneous processes share requests of at most 100, and each gets its own result', async () => {
  const { requests, clock, desk } = start();
  const ids = Array.from({ length: 250 }, (_, index) => (index % 50 === 0 ? `no-${index}` : `p-${index}`));
  const outcomes = await clock.passUntil(Promise.allSettled(ids.map((id) => desk.admit(candidate(id), open))));
  const sizes = requests.map(({ body }): number => body.admissions.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  expect([sizes.reduce((sum, size) => sum + size, 0), sizes.length <= 5]).toEqual([250, true]);
  for (const [index, id] of ids.entries())
    expect(outcomes[index]).toMatchObject(
      id.startsWith('no')
        ? { status: 'rejected', reason: { status: 403, message: 'Access denied.' } }
        : { status: 'fulfilled', value: { nodeId: `n-${id}`, nodeName: id } },
    );
  expect(desk.running).toBe(0);
});

test('a request waits 20 ms for further processes, from the first one on', async () => {
  const { requests, clock, desk } = start();
  const admit = (id: string) => void desk.admit(candidate(id), open);
  const sent = () => requests.map(({ body }) => body.admissions.length);
  admit('a');
  await clock.pass(10);
  admit('b');
  await clock.pass(9);
  expect(sent()).toEqual([]);
  await clock.pass(1);
  expect(sent()).toEqual([2]);
  await clock.pass(5);
  admit('c');
  await clock.pass(19);
  expect(sent()).toEqual([2]);
  await clock.pass(1);
  expect(sent()).toEqual([2, 1]);
});

test('at most two requests run at once, also while more processes connect', async () => {
  const clock = manualClock();
  const replies: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const inventory = new Inventory(async ({ body }: { body?: any }) => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => replies.push(resolve));
    running -= 1;
    const results = body.admissions.map(() => ({ status: 200, node_id: 'n', node_name: 'host' }));
    return { status: 200, body: { results } };
  });
  const desk = new AdmissionDesk(inventory, position, clock);
  const admitted: Promise<unknown>[] = [];
  for (let second = 0; second < 4; second += 1) {
    admitted.push(desk.admit(candidate(`p-${second}`), open));
    await clock.pass(1000);
  }
  // Those that wait share the next request.
  expect([most, replies.length]).toEqual([2, 2]);
  replies[0]?.();
  await clock.pass(1000);
  expect([most, replies.length]).toEqual([2, 3]);
  for (const reply of replies) reply();
  expect(await Promise.all(admitted)).toHaveLength(4);
});

test('a stream that was closed before the request is omitted', async () => {
  const { requests, clock, desk } = start();
  const closing = new AbortController();
  const admissions = [desk.admit(candidate('a'), closing.signal), desk.admit(candidate('b'), open)];
  closing.abort();
  await clock.passUntil(Promise.allSettled(admissions));
  expect(requests.map(({ body }) => body.admissions.map((admission: any) => admission.pmm_agent_id))).toEqual([['b']]);
});

test('a password is checked by a request of its own, with the rights of its user', async () => {
  const { requests, desk } = start();
  const authorization = `Basic ${Buffer.from('admin:secret').toString('base64')}`;
  expect(await desk.admit(candidate('p', authorization), open)).toMatchObject({ nodeId: 'n', nodeName: 'host' });
  expect(requests[0]).toMatchObject({ path: '/v1/agents/p/report', as: { authorization, source: '192.0.2.1' } });
});

test('a header above the maximum of credentials is refused without a request', async () => {
  const { requests, clock, desk } = start();
  await clock.passUntil(desk.admit(candidate('p', 'x'.repeat(5000)), open));
  expect(requests[0]?.body.admissions).toEqual([
    { pmm_agent_id: 'p', authorization: 'Bearer -', source_ip: '192.0.2.1' },
  ]);
});

test('an unavailable service ends all admissions of a request, and the next one is sent', async () => {
  const clock = manualClock();
  let isAway = true;
  const desk = new AdmissionDesk(
    new Inventory(() =>
      isAway
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ status: 200, body: { results: [{ status: 200, node_id: 'n', node_name: 'host' }] } }),
    ),
    position,
    clock,
  );
  const admissions = ['a', 'b'].map((id) => desk.admit(candidate(id), open));
  const failed = await clock.passUntil(Promise.allSettled(admissions));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await clock.passUntil(desk.admit(candidate('c'), open))).toMatchObject({ nodeId: 'n' });
});
