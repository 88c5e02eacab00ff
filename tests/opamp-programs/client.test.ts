/** The client of opamp-go, by polls and by a WebSocket. */
import { once } from 'node:events';
import { bearer } from '../end-to-end/client.ts';
import { eventually } from '../end-to-end/processes.ts';
import { OpampServer, SHORT_TIMERS } from './opamp-server.ts';

let server: OpampServer;
beforeAll(async () => (server = await OpampServer.start()));
afterEach(() => server.stopPrograms());
afterAll(() => server.stop());

test.each([
  ['https:', 'compressed bodies'],
  ['wss:', 'a WebSocket'],
])('the client of opamp-go registers by %s with %s, and takes the interval of the service', async (scheme) => {
  const { nodeId, credential } = await server.enrol(`client-${scheme.replace(':', '')}`, SHORT_TIMERS);
  const client = server.startProgram('client', [server.endpoint(scheme), server.certificate, credential, 'backup']);
  const [agent] = await server.collectorsOf(nodeId, ([collector]) => collector?.status === 'waiting', client);
  expect(agent).toMatchObject({ collector_name: 'backup', version: '1.2.3', status_reason: 'not ready' });
  await server.reportsOften(nodeId, agent.agent_id, client);
  const exited = once(client.child, 'exit');
  client.child.stdin?.end();
  await exited;
  // Its last poll may be cut off by the end.
  expect(client.child.exitCode).toBe(0);
  // On a WebSocket it says that it ends.
  if (scheme === 'wss:') await server.collectorsOf(nodeId, ([collector]) => collector.connected === false, client);
});

test('a client with an invalid key registers nothing, and learns why', async () => {
  const { nodeId } = await server.enrol('client-2');
  const credential = await server.secretFile('invalid', bearer('minv_invalid'));
  const client = server.startProgram('client', [server.endpoint(), server.certificate, credential, 'backup']);
  await eventually(() => client.output().includes('401'));
  await server.collectorsOf(nodeId, (agents) => agents.length === 0, client);
});
