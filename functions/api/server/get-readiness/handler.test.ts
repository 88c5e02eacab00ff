import { randomUUID } from 'node:crypto';
import { lambdaContext } from '../../../../local/gateway/lambda-context.ts';
import { proxyEvent } from '../../../../local/gateway/proxy-event.ts';
import { ensureTable } from '../../../../local/engine/table.ts';
import { startInventory } from '../../../../tests/support/inventory.ts';
import { initialiseTable } from '../../../runtime/initialise-table.ts';
import { findAccount } from '../../../store/credentials/accounts.ts';
import { handlerWith } from './handler.ts';
import { withSend } from '../../../../tests/support/table.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();

const ready = () => inventory.request('GET', '/v1/readyz', { as: null });

test('is ready while the table answers, without credentials or other content', async () => {
  expect(await ready()).toMatchObject({ status: 200, text: '{}' });
});

test('is a 503 until the table and the account are set up', async () => {
  const name = `set-up-${randomUUID()}`;
  const services = { ...inventory.dependencies, table: { ...inventory.table, name } };
  await ensureTable(services.table);
  const handler = handlerWith(services);
  const event = proxyEvent(
    { method: 'GET', url: '/v1/readyz', rawHeaders: [], body: '', sourceIp: '' },
    { requestId: 'r', resource: '/v1/readyz', params: {}, authorizer: undefined },
  );
  const ask = async () => (await handler(event, lambdaContext('getReadiness', 'r', 1000))).statusCode;
  expect(await ask()).toBe(503);
  // The account is written first: it exists whenever the reply is 200.
  const statuses: [number, boolean][] = [];
  const watched = withSend(services.table, async (command: any) => {
    statuses.push([await ask(), (await findAccount(services.table, 'admin')) !== undefined]);
    return services.table.client.send(command);
  });
  await initialiseTable({ ...services, table: watched }, { given: 'correct horse', reset: false });
  statuses.push([await ask(), (await findAccount(services.table, 'admin')) !== undefined]);
  expect(statuses).toContainEqual([503, true]);
  expect(statuses.filter(([status, hasAccount]) => status === 200 && !hasAccount)).toEqual([]);
  expect(statuses.at(-1)).toEqual([200, true]);
});

test('is a 503 with Retry-After when the table cannot be reached', async () => {
  const other = await startInventory({
    table: ({ name }) => ({ name, client: { send: () => Promise.reject(new Error('unreachable')) } as never }),
  });
  try {
    const reply = await other.request('GET', '/v1/readyz', { as: null });
    expect(reply).toMatchObject({ status: 503, body: { code: 14 }, headers: { 'Retry-After': '1' } });
    expect(reply.text).not.toContain('unreachable');
  } finally {
    await other.stop();
  }
});
