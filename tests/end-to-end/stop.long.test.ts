import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startEngine } from '../../local/engine/engine.ts';
import { serveEngine } from '../support/engine-http.ts';
import { serverEnvironment } from '../support/server.ts';
import { basic, bearer, bodyOf, clientOf, everything, makeKeys, PASSWORD } from './client.ts';
import { anyRuns, descendantsOf, eventually } from './processes.ts';
import { openConnection, replyOn } from './raw-request.ts';
import { startedServers } from './started-servers.ts';

const { home, start, stop } = startedServers();

describe('a stop', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    "%s ends the server's one process with exit code 0, also with open connections",
    async (signal) => {
      const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
      expect(await descendantsOf(server.pid)).toEqual([]);
      const [idle, half] = [await openConnection(server.port), await openConnection(server.port)];
      for (const socket of [idle, half]) socket.on('error', () => undefined);
      half.write('POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
      expect(await stop(server, signal)).toBe(0);
      expect(server.errors()).toEqual([]);
      await expect(openConnection(server.port)).rejects.toThrow('ECONNREFUSED');
      // Nobody holds the folder any more.
      await start();
    },
  );

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s: received requests are answered, others have no effect, and new connections are refused',
    async (signal) => {
      const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
      const { keys } = await makeKeys(server);
      const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
      const fates: (number | string)[] = [];
      /** Adds nodes on connections that are kept, one after the other, until the server is gone. */
      const client = async (name: string) => {
        for (let count = 0; typeof (fates.at(-1) ?? 0) === 'number' && count < 1000; count += 1) {
          const headers = { Authorization: bearer(keys.Editor), 'Content-Type': 'application/json' };
          const body = JSON.stringify({
            node_type: 'generic',
            node_name: `${name}-${count}`,
            address: `${name}-${count}`,
          });
          const options = { host: '127.0.0.1', port: server.port, method: 'POST', path: '/v1/nodes', agent, headers };
          const fate = await new Promise<number | string>((resolve) => {
            const request = httpsRequest(options, (response) => {
              response.on('end', () => resolve(response.statusCode!)).on('error', () => resolve('cut off'));
              response.resume();
            });
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end(body);
          });
          fates.push(fate);
        }
      };
      const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(`client-${index}`)));
      await eventually(() => fates.length > 20);
      // Slow: the hash of a password. Three requests in one go on one connection.
      const socket = await openConnection(server.port);
      const signIn = `GET /v1/caller HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic('admin', PASSWORD)}\r\n\r\n`;
      const slow = replyOn(socket);
      await new Promise((resolve) => socket.write(signIn.repeat(3), resolve));
      await eventually(async () => (await clientOf(server)('GET', '/v1/readyz')).status === 200);
      const stopped = stop(server, signal);
      const { status, text } = await slow;
      expect([status, ...[...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code))]).toEqual([
        200, 200, 200,
      ]);
      await clients;
      agent.destroy();
      expect(await stopped).toBe(0);
      // An idle connection may be closed just when its client sends the next request, and one that the server has not accepted
      // yet may be reset by the kernel: such a request has no effect.
      expect(['ECONNREFUSED', 'ECONNRESET']).toEqual(
        expect.arrayContaining([...new Set(fates)].filter((fate) => fate !== 201)),
      );
      const { nodes } = await everything(clientOf(await start(), bearer(keys.Viewer)));
      expect(nodes).toHaveLength(fates.filter((fate) => fate === 201).length);
    },
  );

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    '%s to npm alone, as supervisors send it, ends the server of npm start',
    async (signal) => {
      const npm = spawn('npm', ['start'], {
        cwd: fileURLToPath(new URL('../../', import.meta.url)),
        env: serverEnvironment(join(home(), 'data'), { ADMIN_PASSWORD: PASSWORD }),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      npm.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await eventually(() => /curl -k.*\n/.test(printed), 60_000);
      const started = await descendantsOf(npm.pid!);
      // The server, and a shell of npm before it, if there is one.
      expect(started.length).toBeGreaterThanOrEqual(1);
      try {
        npm.kill(signal);
        await eventually(async () => !(await anyRuns(started)), 30_000);
      } finally {
        for (const pid of started)
          try {
            process.kill(pid, 'SIGKILL');
          } catch {
            // Ended, as it should.
          }
      }
    },
  );

  test('kill -9 loses nothing for the next start', async () => {
    const server = await start({ environment: { ADMIN_PASSWORD: PASSWORD } });
    const { keys } = await makeKeys(server);
    const body = { node_type: 'generic', node_name: 'kept', address: 'h' };
    const added = bodyOf(await clientOf(server, bearer(keys.Editor))('POST', '/v1/nodes', { body }), 201);
    expect(await stop(server, 'SIGKILL')).toBe('SIGKILL');
    const next = await start();
    expect((await everything(clientOf(next, bearer(keys.Viewer)))).nodes).toEqual([{ ...added, state: 'never_seen' }]);
  });
});

describe('DYNAMODB_ENDPOINT', () => {
  test('uses another engine, makes no database, and does not stop that engine', async () => {
    const engine = await startEngine({ environment: process.env });
    const served = await serveEngine(engine);
    try {
      const environment = { DYNAMODB_ENDPOINT: `${served.endpoint}/`, ADMIN_PASSWORD: PASSWORD };
      const server = await start({ environment });
      const { keys } = await makeKeys(server);
      const body = { node_type: 'generic', node_name: 'elsewhere', address: 'h' };
      const added = bodyOf(await clientOf(server, bearer(keys.Editor))('POST', '/v1/nodes', { body }), 201);
      expect(await readdir(server.dataDir)).not.toContain('inventory.sqlite');

      const { client, name } = engine.open('monitoring-inventory');
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
      expect((await fetch(served.endpoint)).status).toBeLessThan(500);
    } finally {
      await served.stop();
      await engine.stop();
    }
  });
});
