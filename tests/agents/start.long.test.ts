import { readdir, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { testInFull } from '../../shared/testing/extent.ts';
import { PmmAgent } from '../support/pmm-agent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const password = 'correct horse battery canary';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await newDataDir();
  try {
    await work(folder);
  } finally {
    await removeDataDir(folder);
  }
}

/** The protocol that the server chooses from these. */
async function chosen(server: RunningServer, offered: string[]): Promise<string | false | null> {
  const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false, ALPNProtocols: offered });
  try {
    await once(socket, 'secureConnect');
    return socket.alpnProtocol;
  } catch {
    return 'refused';
  } finally {
    socket.destroy();
  }
}

const basic = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

async function post(server: RunningServer, path: string, body: object): Promise<any> {
  const reply = await https(server.base, 'POST', path, { headers: { Authorization: basic }, body });
  expect([path, reply.status]).toEqual([path, 201]);
  return reply.body;
}

test('`npm start` serves agents on its port, ends their streams at its stop, and stores no credential', () =>
  inFolder(async (folder) => {
    const environment = { ADMIN_PASSWORD: password, LOG_LEVEL: 'info' };
    const server = await startServer(folder, { environment });
    const node = await post(server, '/v1/nodes', { node_type: 'generic', node_name: 'db-1', address: '10.0.0.1' });
    const process = { agent_type: 'pmm_agent', runs_on_node_id: node.node_id };
    const { agent_id: id } = await post(server, '/v1/agents', process);
    await post(server, '/v1/agents', { agent_type: 'node_exporter', pmm_agent_id: id });
    const agent = new PmmAgent({ port: server.port, generation: 2, id: `/agent_id/${id}`, authorization: basic });
    await agent.connected;
    while (agent.exporters.size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    // A client that offers HTTP/1.1 gets it.
    expect(await chosen(server, ['h2', 'http/1.1'])).toBe('http/1.1');
    expect(await chosen(server, ['http/1.1'])).toBe('http/1.1');
    expect(await chosen(server, ['h2'])).toBe('h2');
    expect((await https(server.base, 'GET', '/v1/readyz')).status).toBe(200);
    const stopped = server.stop();
    expect(await agent.ended).toEqual({ code: 14, message: 'The server stops. Try again.' });
    expect(await stopped).toBe(0);
    const files = await readdir(folder);
    const stored = await Promise.all(files.map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0))));
    for (const secret of [password, basic.slice(6)]) {
      expect(server.output()).not.toContain(secret);
      for (const bytes of stored) expect(bytes.includes(secret)).toBe(false);
    }
  }));

testInFull('without the calls of PMM there are no agents', () =>
  inFolder(async (folder) => {
    const server = await startServer(folder, { environment: { ADMIN_PASSWORD: password, PMM_COMPATIBILITY: 'false' } });
    expect(await chosen(server, ['h2'])).toBe('refused');
    expect(await chosen(server, ['h2', 'http/1.1'])).toBe('http/1.1');
    await server.stop();
  }),
);
