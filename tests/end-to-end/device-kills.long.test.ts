import { randomInt } from 'node:crypto';
import type { HttpsReply } from '../support/https.ts';
import type { RunningServer } from '../support/server.ts';
import { basic, bearer, bodyOf, type Client, clientOf, listAll, logIn, PASSWORD, repeatWhileBusy } from './client.ts';
import { startedServers } from './started-servers.ts';

const { start, stop } = startedServers();

const ROUNDS = 3;
const PEOPLE = 3;
/**
 * Within the limits of a fast machine: a person may try 10 codes in a minute, each of which is answered twice at most, and an
 * address 60 log-ins with wrong codes.
 */
const DEVICES_OF_A_PERSON = 2;
const STEPS_OF_A_DEVICE = 3;

/** The last step of a device, and whether its reply arrived. */
interface Device {
  name: string;
  person: string;
  codes?: { device_code: string; user_code: string };
  answer?: 'sent' | 'acknowledged';
  poll?: 'sent' | 'acknowledged';
}

const answerOf = (person: Client, { codes }: Device) =>
  person('POST', '/v1/device-authorizations/answer', { body: { user_code: codes!.user_code, answer: 'approve' } });
const pollOf = (program: Client, { codes }: Device) =>
  program('POST', '/v1/logins', { body: { method: 'device', device_code: codes!.device_code } });

/** Adds a person. @returns the key of a session. */
async function newPerson(admin: Client, anybody: Client, user_name: string): Promise<string> {
  const { invitation } = bodyOf(await admin('POST', '/v1/users', { body: { user_name, role: 'Viewer' } }), 201);
  const body = { method: 'invitation', user_name, invitation, new_password: PASSWORD };
  return bodyOf(await anybody('POST', '/v1/logins', { body }), 201).key;
}

/** All steps of a device. @param done is called after each reply. */
async function run(server: RunningServer, device: Device, done: () => void): Promise<void> {
  const program = clientOf(server);
  const asked = await program('POST', '/v1/device-authorizations', { body: { client_name: device.name } });
  device.codes = bodyOf(asked, 201);
  done();
  device.answer = 'sent';
  bodyOf(await answerOf(clientOf(server, bearer(device.person)), device), 200);
  device.answer = 'acknowledged';
  done();
  device.poll = 'sent';
  bodyOf(await pollOf(program, device), 201);
  device.poll = 'acknowledged';
  done();
}

/** On a busy machine, a call may have had an effect although its reply is 503. */
async function answered(call: () => Promise<HttpsReply>): Promise<{ status: number; body: any; isFirst: boolean }> {
  const first = await call();
  const { status, body } = first.status === 503 ? await repeatWhileBusy(call) : first;
  return { status, body, isFirst: first.status !== 503 };
}

/** Repeats at another server what was cut off, and polls once more. */
async function finish(server: RunningServer, device: Device) {
  const isAnswered = device.answer === 'acknowledged';
  const answer = isAnswered
    ? undefined
    : await answered(() => answerOf(clientOf(server, bearer(device.person)), device));
  return { answer, poll: await answered(() => pollOf(clientOf(server), device)) };
}

/** The statuses that are right after the steps of a device. */
function expectedAfter({ answer, poll }: Device): [answer: (number | undefined)[], poll: number[]] {
  const answers = answer === 'acknowledged' ? [undefined] : answer === 'sent' ? [200, 400] : [200];
  const polls = poll === 'acknowledged' ? [401] : poll === 'sent' ? [201, 401] : [201];
  return [answers, polls];
}

test('kill -9 at any moment: an approved device gets exactly one session, and a code no second one', async () => {
  let server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
  const { key } = bodyOf(await logIn(server, basic('admin', PASSWORD)), 201);
  let cutOff = 0;
  let checked = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const devices: Device[] = [];
    let steps = 0;
    // The server ends after this number of replies, while each person waits for another one.
    const last = randomInt(1, PEOPLE * (DEVICES_OF_A_PERSON - 1) * STEPS_OF_A_DEVICE);
    const reached = Promise.withResolvers<number>();
    const people: string[] = [];
    for (let index = 0; index < PEOPLE; index += 1)
      people.push(await newPerson(clientOf(server, bearer(key)), clientOf(server), `person-${round}-${index}`));
    const running = Promise.allSettled(
      people.map(async (person, index) => {
        for (let count = 0; count < DEVICES_OF_A_PERSON; count += 1) {
          const device: Device = { name: `device-${round}-${index}-${count}`, person };
          devices.push(device);
          await run(server, device, () => (steps += 1) >= last && reached.resolve(steps));
        }
      }),
    );
    await Promise.race([reached.promise, running]);
    await stop(server, 'SIGKILL');
    cutOff += (await running).filter(({ status }) => status === 'rejected').length;
    server = await start();
    const authorized = devices.filter(({ codes }) => codes !== undefined);
    for (const device of authorized) {
      const [answers, polls] = expectedAfter(device);
      const { answer, poll } = await finish(server, device);
      if (answer?.isFirst !== false)
        expect([device, answers]).toEqual([device, expect.arrayContaining([answer?.status])]);
      if (poll.isFirst) expect([device, polls]).toEqual([device, expect.arrayContaining([poll.status])]);
      checked += 1;
      if (poll.status !== 201) continue;
      expect(await clientOf(server, bearer(poll.body.key))('GET', '/v1/caller')).toMatchObject({ status: 200 });
      expect((await repeatWhileBusy(() => pollOf(clientOf(server), device))).status).toBe(401);
    }
    const sessions = await listAll(clientOf(server, bearer(key)), '/v1/sessions', 'sessions');
    const ofRound = sessions.map(({ device }) => device).filter((name) => name?.startsWith(`device-${round}-`));
    expect(ofRound.sort()).toEqual(authorized.map(({ name }) => name).sort());
  }
  expect(cutOff).toBeGreaterThan(0);
  expect(checked).toBeGreaterThanOrEqual(ROUNDS);
}, 600_000);
