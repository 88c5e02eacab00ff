/** The collector with the documented configurations, by polls and by a WebSocket. */
import { isLive, OpampServer, quiet } from './opamp-server.ts';

let server: OpampServer;
beforeAll(async () => (server = await OpampServer.start()));
afterEach(() => server.stopPrograms());
afterAll(() => server.stop());

test('the collector registers with its version and health; two starts are one agent', async () => {
  const { nodeId, credential } = await server.enrol('collector-1', { stale_after: '10s' });
  const config = await server.documentedConfig('collector.yaml', credential, quiet);
  const first = server.startProgram('collector', ['--config', config]);
  const [agent] = await server.collectorsOf(nodeId, isLive, first);
  expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
  // Its last message, that it is not healthy, is cancelled on a busy machine.
  await first.stop();
  await server.collectorsOf(nodeId, ([collector]) => collector.state === 'stale', first);
  const second = server.startProgram('collector', ['--config', config]);
  const agents = await server.collectorsOf(nodeId, isLive, second);
  expect(agents).toMatchObject([{ agent_id: agent.agent_id, revision: 1 }]);
});

test('the collector registers over a WebSocket with TLS, stays live without a message, and is stale after its end', async () => {
  const { nodeId, credential } = await server.enrol('collector-2', { stale_after: '20s' });
  const config = await server.documentedConfig('collector-websocket.yaml', credential, quiet, server.endpoint('wss:'));
  const collector = server.startProgram('collector', ['--config', config]);
  const [agent] = await server.collectorsOf(nodeId, isLive, collector);
  expect(agent).toMatchObject({ collector_name: 'otelcol', version: '0.149.0', connected: true });
  await server.staysLive(nodeId, collector);
  await collector.stop();
  await server.collectorsOf(nodeId, ([collector]) => collector.state === 'stale', collector);
});
