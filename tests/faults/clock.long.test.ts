/**
 * The real server while its clock steps (libfaketime): a follower gets every change, each once, and no time goes back. A
 * step of more than a minute is logged.
 */
import { bodyOf, type Client, clientOf, makeKeys, PASSWORD, bearer } from '../end-to-end/client.ts';
import { startedServers } from '../end-to-end/started-servers.ts';
import { serverClockIn } from '../support/server-clock.ts';

const servers = startedServers();

test.each([
  ['2 s', 2, false, 0],
  ['25 s', 25, true, 0],
  ['2 h', 7200, false, 1],
  ['2 h', 7200, true, 1],
])('back by %s (%d s), with a restart: %s', async (_name, seconds, restarts, warnings) => {
  const clock = await serverClockIn(servers.home());
  const environment = { ADMIN_PASSWORD: PASSWORD, ...clock.environment };
  let server = await servers.start({ environment });
  const { keys } = await makeKeys(server);
  const call: Client = (...parameters) => clientOf(server, bearer(keys.Editor))(...parameters);
  const added: string[] = [];
  const seen: string[] = [];
  const times: string[] = [];
  let cursor: string = bodyOf(await call('GET', '/v1/changes?since=now'), 200).next;
  const add = async () => {
    const body = { node_type: 'generic', node_name: `n${added.length}`, address: '10.0.0.1' };
    const node = bodyOf(await call('POST', '/v1/nodes', { body }), 201);
    added.push(node.node_id);
    times.push(node.created_at);
  };
  const catchUp = async () => {
    for (let more = true; more;) {
      const page = bodyOf(await call('GET', `/v1/changes?since=${cursor}`), 200);
      seen.push(...page.changes.map(({ id }: { id: string }) => id));
      ({ next: cursor, more } = page);
    }
  };
  await add();
  await catchUp();
  // So far ahead that the order of all of them is final.
  await clock.set(100);
  await add();
  await clock.set(200);
  await catchUp();
  await clock.set(200 - seconds);
  if (restarts) {
    await servers.stop(server);
    server = await servers.start({ environment });
  }
  for (let count = 0; count < 3; count += 1) {
    await add();
    await catchUp();
  }
  expect(seen).toEqual(added);
  expect(times).toEqual(times.toSorted());
  expect(server.errors().filter((line) => line.includes('the clock of this machine went back'))).toHaveLength(warnings);
});
