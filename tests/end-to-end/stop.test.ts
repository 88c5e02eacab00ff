import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startEngine } from '../../local/engine.ts';
import { tableAt } from '../support/inventory.ts';
import { bearer, bodyOf, clientOf, everything, makeKeys, PASSWORD } from './client.ts';
import { anyLeft, eventually, groupsOf } from './processes.ts';
import { openConnection } from './raw-request.ts';
import { startedServers } from './started-servers.ts';

const { home, start, stop } = startedServers();

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends server and engine with exit code 0, also with connections open',
    async (signal) => {
      const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
      const groups = await groupsOf(server.pid);
      expect(groups).toHaveLength(1);
      const [idle, half] = [await openConnection(server.port), await openConnection(server.port)];
      for (const socket of [idle, half]) socket.on('error', () => undefined);
      half.write('POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      expect(await stop(server, signal)).toBe(0);
      expect(server.stderr()).toBe('');
      // The shell that watches over the engine ends by itself, a moment later.
      await eventually(async () => !(await anyLeft(groups)));
      await expect(openConnection(server.port)).rejects.toThrow('ECONNREFUSED');
      // Nobody holds the folder any more.
      await start();
    },
  );

  test('kill -9 of the server leaves no engine behind, and the next start finds everything', async () => {
    const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
    const groups = await groupsOf(server.pid);
    const { keys } = await makeKeys(server);
    const body = { node_type: 'generic', node_name: 'kept', address: 'h' };
    const added = bodyOf(await clientOf(server, bearer(keys.Editor))('POST', '/v1/nodes', { body }), 201);
    expect(await stop(server, 'SIGKILL')).toBe('SIGKILL');
    await eventually(async () => !(await anyLeft(groups)));
    const next = await start();
    expect((await everything(clientOf(next, bearer(keys.Viewer)))).nodes).toEqual([{ ...added, state: 'never_seen' }]);
  });

  test('when the engine dies the server says so in one line and ends with exit code 1', async () => {
    const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
    const [engine] = await groupsOf(server.pid);
    process.kill(engine!, 'SIGKILL');
    // A signal that does nothing: it only waits for the end.
    expect(await stop(server, 'SIGCONT')).toBe(1);
    expect(server.stderr()).toMatch(/^The DynamoDB engine stopped[^\n]+\n$/);
    await eventually(async () => !(await anyLeft([engine!])));
  });
});

describe('DYNAMODB_ENDPOINT', () => {
  test('uses another engine, starts none, and leaves that one alone', async () => {
    const engine = await startEngine({ environment: process.env });
    try {
      const environment = { DYNAMODB_ENDPOINT: `${engine.endpoint}/`, ADMIN_PASSWORD: PASSWORD };
      const server = await start({ environment });
      expect(await groupsOf(server.pid)).toEqual([]);
      const { keys } = await makeKeys(server);
      const body = { node_type: 'generic', node_name: 'elsewhere', address: 'h' };
      const added = bodyOf(await clientOf(server, bearer(keys.Editor))('POST', '/v1/nodes', { body }), 201);
      expect(await readdir(server.dataDir)).not.toContain('inventory.sqlite');

      const { client, name } = tableAt(engine.endpoint, 'monitoring-inventory');
      const { Items = [] } = await client.send(new ScanCommand({ TableName: name }));
      expect(Items).toEqual(expect.arrayContaining([expect.objectContaining({ node_name: 'elsewhere' })]));
      client.destroy();

      // A second server at the same engine is the same inventory.
      const second = await start({ dataDir: join(home(), 'second'), environment });
      expect(second.output()).toMatch(/^Admin user +admin \(reset/m);
      expect((await everything(clientOf(second, bearer(keys.Viewer)))).nodes).toEqual([
        { ...added, state: 'never_seen' },
      ]);
      expect(await stop(server)).toBe(0);
      expect(await stop(second)).toBe(0);
      expect((await fetch(engine.endpoint)).status).toBeLessThan(500);
    } finally {
      await engine.stop();
    }
  });
});
