import fc from '../../../../shared/testing/fast-check.ts';
import { askWith, logIn as logInAsAdmin } from '../../../../tests/support/log-in.ts';
import { accepted } from '../../../../tests/support/users.ts';
import { answerWith, askForSession, poll, reasonIn } from '../../../../tests/support/devices.ts';
import { TEST_TIME } from '../../../../tests/support/test-time.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(() => (inventory.clock.now = undefined));

const callerOf = (key: string) => askWith(inventory, key, 'GET', '/v1/caller');

/** The name of the user of a session. */
const userOf = async (key: string): Promise<string> => (await callerOf(key)).body.user_id;

const later = (seconds: number) =>
  (inventory.clock.now = new Date(inventory.dependencies.clock().getTime() + seconds * 1000));

async function approved(key: string, more: object = {}) {
  const { body: codes } = await askForSession(inventory, 'inventory on build-7');
  const answer = await answerWith(inventory, key, { user_code: codes.user_code, answer: 'approve', ...more });
  return { ...codes, answer };
}

test('a person sees the client, approves, and the device gets one session of that person', async () => {
  const person = await accepted(inventory, 'Editor', { owners: ['dba'] });
  const { body: codes } = await askForSession(inventory, 'inventory on build-7', '203.0.113.9');
  expect(reasonIn(await poll(inventory, codes.device_code))).toBe('authorization_pending');
  const typed = codes.user_code.toLowerCase().replace('-', ' ');
  const { status, body } = await answerWith(inventory, person.key, { user_code: typed });
  expect([status, body]).toMatchObject([
    200,
    { client_name: 'inventory on build-7', source_ip: '203.0.113.9', state: 'pending' },
  ]);
  expect(reasonIn(await poll(inventory, codes.device_code))).toBe('authorization_pending');
  await answerWith(inventory, person.key, { user_code: typed, answer: 'approve' });
  const { status: opened, body: session } = await poll(inventory, codes.device_code);
  expect([opened, session]).toMatchObject([201, { user_id: person.user_name, role: 'Editor', owners: ['dba'] }]);
  expect((await callerOf(session.key)).body).toMatchObject({ kind: 'session', role: 'Editor', owners: ['dba'] });
  const { body: list } = await inventory.request('GET', `/v1/sessions?user_id=${person.user_name}`);
  const deviceSession = list.sessions.find(({ session_id }: any) => session_id === session.session_id);
  expect(deviceSession).toMatchObject({ method: 'device', device: 'inventory on build-7' });
  const first = list.sessions.find(({ session_id }: any) => session_id === person.session_id);
  expect(deviceSession.expires_at).toBe(first.expires_at);
  expect((await poll(inventory, codes.device_code)).status).toBe(401);
});

test('the audit names the person and the device', async () => {
  const person = await accepted(inventory);
  await approved(person.key);
  const { body } = await inventory.request('GET', '/v1/audit?event=device.approved');
  expect(body.entries[0]).toMatchObject({
    actor: { kind: 'session', name: person.user_name },
    subject: { name: 'inventory on build-7' },
    after: { role: 'Editor', device_ip: expect.stringMatching(/^10\.9\./) },
  });
});

test('a denied device gets access_denied, and the code cannot be approved afterwards', async () => {
  const { key } = await accepted(inventory);
  const { body: codes } = await askForSession(inventory);
  const { user_code } = codes;
  expect((await answerWith(inventory, key, { user_code, answer: 'deny' })).body.state).toBe('denied');
  expect((await answerWith(inventory, key, { user_code, answer: 'approve' })).status).toBe(400);
  expect(reasonIn(await poll(inventory, codes.device_code))).toBe('access_denied');
});

test('codes expire after ten minutes, also when they were approved', async () => {
  const { key } = await accepted(inventory);
  const late = await approved(key);
  const { body: codes } = await askForSession(inventory);
  later(601);
  expect((await answerWith(inventory, key, { user_code: codes.user_code })).status).toBe(400);
  expect(reasonIn(await poll(inventory, codes.device_code))).toBe('expired_token');
  expect(reasonIn(await poll(inventory, late.device_code))).toBe('expired_token');
});

test('a device that polls more often than every five seconds gets slow_down, and works after that minute', async () => {
  inventory.clock.now = new Date(TEST_TIME + 60_000 - (TEST_TIME % 60_000));
  const { key } = await accepted(inventory);
  const { device_code } = await approved(key, { answer: undefined });
  const replies = [];
  for (let polls = 0; polls < 14; polls += 1) replies.push(reasonIn(await poll(inventory, device_code)));
  expect(replies.filter((reason) => reason === 'authorization_pending')).toHaveLength(12);
  expect(replies.filter((reason) => reason === 'slow_down')).toHaveLength(2);
  later(60);
  expect(reasonIn(await poll(inventory, device_code))).toBe('authorization_pending');
});

test('a device has at most the role of the person, who may choose a lower one', async () => {
  const editor = await accepted(inventory, 'Editor', { owners: ['dba'] });
  const higher = await approved(editor.key, { role: 'Admin' });
  expect(higher.answer.status).toBe(403);
  expect(reasonIn(await poll(inventory, higher.device_code))).toBe('authorization_pending');
  const lower = await approved(editor.key, { role: 'Viewer' });
  const { body } = await poll(inventory, lower.device_code);
  expect([body.role, body.owners]).toEqual(['Viewer', undefined]);
});

test('the admin account approves a device; API keys and passwords cannot', async () => {
  const { body: admin } = await logInAsAdmin(inventory);
  const { device_code } = await approved(admin.key, { role: 'Viewer' });
  const { body } = await poll(inventory, device_code);
  expect((await callerOf(body.key)).body).toMatchObject({ name: 'admin', role: 'Viewer', kind: 'session' });
  const { body: codes } = await askForSession(inventory);
  const { status } = await answerWith(inventory, inventory.keys.Admin, { user_code: codes.user_code });
  expect(status).toBe(403);
});

test('the session of a device cannot read, approve or deny another device', async () => {
  const person = await accepted(inventory, 'Editor');
  const { body: device } = await poll(inventory, (await approved(person.key)).device_code);
  const { body: codes } = await askForSession(inventory);
  for (const answer of [undefined, 'approve', 'deny'])
    expect((await answerWith(inventory, device.key, { user_code: codes.user_code, answer })).status).toBe(403);
  expect(reasonIn(await poll(inventory, codes.device_code))).toBe('authorization_pending');
  expect((await answerWith(inventory, person.key, { user_code: codes.user_code, answer: 'approve' })).status).toBe(200);
});

test.each(['disabled', 'removed', 'with another role'])(
  'a person who is %s after the approval gives no session',
  async (how) => {
    const person = await accepted(inventory);
    const { device_code } = await approved(person.key);
    const path = `/v1/users/${person.user_name}`;
    if (how === 'removed') await inventory.request('DELETE', path);
    else await inventory.request('PATCH', path, { body: how === 'disabled' ? { disabled: true } : { role: 'Viewer' } });
    expect((await poll(inventory, device_code)).status).toBe(401);
  },
);

test('a person may enter ten codes a minute, and a wrong code reveals nothing', async () => {
  inventory.clock.now = new Date(TEST_TIME + 60_000 - (TEST_TIME % 60_000));
  const [person, other] = [await accepted(inventory), await accepted(inventory)];
  const { body: codes } = await askForSession(inventory);
  const tries = await Promise.all(
    Array.from({ length: 10 }, () => answerWith(inventory, person.key, { user_code: 'BCDF-GHJK' })),
  );
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([400]));
  const limited = await answerWith(inventory, person.key, { user_code: codes.user_code, answer: 'approve' });
  expect(limited.status).toBe(429);
  expect((await answerWith(inventory, other.key, { user_code: codes.user_code })).status).toBe(200);
});

test('of simultaneous polls one opens a session, and of simultaneous answers one takes effect', async () => {
  const [person, other] = [await accepted(inventory), await accepted(inventory)];
  const { body: codes } = await askForSession(inventory);
  const { user_code, device_code } = codes;
  const answers = await Promise.all(
    [person, other, person, other].map(({ key }) => answerWith(inventory, key, { user_code, answer: 'approve' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const polls = await Promise.all([1, 2, 3, 4, 5].map(() => poll(inventory, device_code)));
  expect(polls.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
});

/** One step of a device or a person. */
type Step = { kind: 'ask' } | { kind: 'poll' | 'read' | 'approve' | 'deny'; device: number; person: number };

/** What a device and a person have done. */
interface AskingDevice {
  codes: any;
  answer?: { state: 'approve' | 'deny'; person: number };
  isUsed?: boolean;
}

test('in any order of requests, answers and polls, each code opens one session, of the person who approved it', async () => {
  const people = [await accepted(inventory, 'Editor'), await accepted(inventory, 'Viewer')];
  const names = await Promise.all(people.map(({ key }) => userOf(key)));
  const checkPoll = async (device: AskingDevice) => {
    const { codes, answer, isUsed } = device;
    const reply = await poll(inventory, codes.device_code);
    if (answer?.state !== 'approve' || isUsed === true) expect(reply.body.key).toBeUndefined();
    else expect([reply.status, reply.body.user_id]).toEqual([201, names[answer.person]]);
    if (answer?.state === 'approve') device.isUsed = true;
  };
  const index = fc.nat({ max: 3 });
  const acting = fc.record({
    kind: fc.constantFrom('poll' as const, 'read' as const, 'approve' as const, 'deny' as const),
    device: index,
    person: fc.nat({ max: 1 }),
  });
  const steps = fc.array(fc.oneof(fc.constant<Step>({ kind: 'ask' }), acting), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // The next minute: polls and codes of the runs before do not count.
      later(61);
      const devices: AskingDevice[] = [];
      for (const step of taken) {
        if (step.kind === 'ask') devices.push({ codes: (await askForSession(inventory)).body });
        const device = step.kind === 'ask' ? undefined : devices[step.device];
        if (step.kind === 'ask' || device === undefined) continue;
        const { codes, answer } = device;
        if (step.kind === 'poll') {
          await checkPoll(device);
          continue;
        }
        const request = { user_code: codes.user_code, ...(step.kind === 'read' ? {} : { answer: step.kind }) };
        const { status } = await answerWith(inventory, people[step.person]!.key, request);
        expect(status).toBe(answer === undefined ? 200 : 400);
        if (answer === undefined && step.kind !== 'read') device.answer = { state: step.kind, person: step.person };
      }
      for (const device of [...devices, ...devices]) await checkPoll(device);
    }),
    { numRuns: 15 },
  );
});
