import { TableFault } from '../../../shared/db/table-fault.ts';
import { startPmmInventory } from '../../../tests/pmm/pmm-inventory.ts';
import { fakeTable } from '../../../tests/support/table.ts';
import type { WireCall } from '../wire/call.ts';
import { healthOperations } from './server.ts';

const { inventory } = await startPmmInventory();

const VERSION = '/v1/server/version';

test('only an Admin can request an error of the server, which is not logged as a fault; others get the version', async () => {
  for (const [dummy, status, code] of [
    ['panic-error', 500, 13],
    ['grpccode-13', 500, 13],
    ['grpccode-14', 503, 14],
  ] as const) {
    const { length } = inventory.logged;
    const reply = await inventory.request('GET', `${VERSION}?dummy=${dummy}`);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(inventory.logged.slice(length)).toMatchObject([{ level: 'info', status }]);
    for (const as of ['Viewer', 'Editor', 'Registrar'] as const)
      expect((await inventory.request('GET', `${VERSION}?dummy=${dummy}`, { as })).status).toBe(200);
  }
});

test('readiness is public for GET and HEAD; other methods need credentials and are unknown', async () => {
  for (const path of ['/ping', '/v1/server/readyz', '/v1/server/leaderHealthCheck', '/graph/api/health']) {
    for (const method of ['GET', 'HEAD'])
      expect((await inventory.request(method, path, { as: null })).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await inventory.request(method, path, { as: null, body: {} })).status).toBe(401);
      expect((await inventory.request(method, path, { body: {} })).status).toBe(404);
    }
  }
});

test('readiness reports a table fault as it is, and any other failure as not ready', async () => {
  const readiness = (failure: Error) => {
    const table = fakeTable(() => {
      throw failure;
    });
    return healthOperations['getReadiness']!({ dependencies: { table } } as WireCall);
  };
  const fault = new TableFault({ name: 'disk_full', problem: 'The disk is full.', remedy: 'Free space on it.' });
  await expect(readiness(fault)).rejects.toBe(fault);
  await expect(readiness(new Error('cut off'))).rejects.toMatchObject({
    ...{ kind: 'unavailable', fault: 'table_unreachable', message: 'PMM Server is not ready yet.' },
  });
});
