/** The collector with the documented configurations, through the gateway of the container. */
import { bodyOf } from '../end-to-end/client.ts';
import { startGateway } from '../support/container.ts';
import { isHealthy, isLive, OpampServer, quiet } from './opamp-server.ts';

let server: OpampServer;
beforeAll(async () => (server = await OpampServer.start()));
afterEach(() => server.stopPrograms());
afterAll(() => server.stop());

test("the collector registers through the container's gateway, by WebSocket and by HTTP, and returns to another one", async () => {
  const body = { name: 'gateway', role: 'Gateway' };
  const { key } = bodyOf(await server.admin('POST', '/v1/api-keys', { body }), 201);
  const keyFile = await server.secretFile('gateway.key', key);
  const startOne = (port: number) =>
    startGateway({
      API_URL: server.running.base,
      KEY_FILE: keyFile,
      NODE_EXTRA_CA_CERTS: server.certificate,
      DRAIN_SECONDS: '1',
      PORT: String(port),
    });
  let gateway = await startOne(0);
  const { port } = gateway;
  try {
    const { nodeId, credential } = await server.enrol('collector-3', { stale_after: '20s' });
    const websocket = await server.documentedConfig(
      'collector-websocket.yaml',
      credential,
      quiet,
      `ws://127.0.0.1:${port}/v1/opamp`,
    );
    const collector = server.startProgram('collector', ['--config', websocket]);
    await server.collectorsOf(nodeId, isLive, collector);
    await server.staysLive(nodeId, collector);
    // Its connection ends, and the collector connects again.
    expect(await gateway.stop()).toBe(0);
    gateway = await startOne(port);
    await server.staysLive(nodeId, collector);
    await collector.stop();
    const polling = await server.enrol('collector-4', { stale_after: '10s' });
    const address = `http://127.0.0.1:${port}/v1/opamp`;
    const config = await server.documentedConfig('collector.yaml', polling.credential, quiet, address);
    await server.collectorsOf(polling.nodeId, isHealthy, server.startProgram('collector', ['--config', config]));
  } finally {
    await gateway.stop();
  }
});
