/** Programs of PMM make their key on a server, and use it with PMM's calls. */
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { basic, bodyOf, type Client, clientOf, PASSWORD, repeatWhileBusy } from './client.ts';

let server: RunningServer;
let admin: Client;
beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  admin = clientOf(server, basic('admin', PASSWORD));
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

const grafana = async (method: string, path: string, status: number, body?: object) =>
  bodyOf(await repeatWhileBusy(() => admin(method, `/graph/api/${path}`, body === undefined ? {} : { body })), status);

const registers = async (key: string, name: string) => {
  const host = { node_type: 'GENERIC_NODE', node_name: name, address: '10.0.0.1' };
  const client = clientOf(server, basic('service_token', key));
  return (await client('POST', '/v1/management/Node/Register', { body: host })).status;
};

test('a key registers hosts of programs of either generation until its removal, also after a restart', async () => {
  expect((await clientOf(server)('GET', '/graph/api/health')).body).toMatchObject({ database: 'ok' });
  const older = await grafana('POST', 'auth/keys', 200, { name: 'operator', role: 'Admin' });
  const account = await grafana('POST', 'serviceaccounts', 201, { name: 'operator', role: 'Admin' });
  const newer = await grafana('POST', `serviceaccounts/${account.uid}/tokens`, 200, { name: 'operator-1' });
  expect([await registers(older.key, 'a'), await registers(newer.key, 'b')]).toEqual([200, 200]);
  await server.stop();
  server = await startServer(server.dataDir);
  admin = clientOf(server, basic('admin', PASSWORD));
  expect([await registers(older.key, 'c'), await registers(newer.key, 'd')]).toEqual([200, 200]);
  await grafana('DELETE', `auth/keys/${older.id}`, 200);
  await grafana('DELETE', `serviceaccounts/${account.id}`, 200);
  expect([await registers(older.key, 'e'), await registers(newer.key, 'f')]).toEqual([401, 401]);
  expect(server.output()).not.toContain(newer.key);
});
