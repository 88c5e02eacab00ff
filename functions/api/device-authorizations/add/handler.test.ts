import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { userCodeIn } from '../../../domain/access/device-authorization.ts';
import { LOG_INS_PER_MINUTE } from '../../../store/credentials/log-in.ts';
import { askForSession } from '../../../../tests/support/devices.ts';
import { useInventory } from '../../../../tests/support/fixtures.ts';

const inventory = useInventory();
afterEach(() => (inventory.clock.now = undefined));

test('a caller without credentials gets the fields of RFC 8628', async () => {
  const { status, body, headers } = await askForSession(inventory, 'inventory on build-7');
  expect([status, headers['Cache-Control']]).toEqual([201, 'no-store']);
  expect(body).toEqual({
    device_code: expect.stringMatching(/^minv_device_[0-9A-Za-z]{43}_[0-9a-f]{8}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    verification_uri: '/#/device',
    verification_uri_complete: `/#/device?user_code=${body.user_code}`,
    expires_in: 600,
    interval: 5,
  });
});

test('the table contains only digests of both codes', async () => {
  const { body } = await askForSession(inventory);
  const { Items = [] } = await inventory.table.client.send(
    new ScanCommand({ TableName: inventory.table.name, ConsistentRead: true }),
  );
  const text = JSON.stringify(Items);
  const code = userCodeIn(body.user_code) ?? '';
  for (const secret of [body.device_code, body.user_code, code]) expect(text).not.toContain(secret);
  expect(text).toContain(createHash('sha256').update(`device:v1:${body.device_code}`).digest('hex'));
});

test('a network address is limited like log-ins, without effect on other addresses', async () => {
  inventory.clock.now = new Date('2026-03-02T12:00:00Z');
  const ask = (sourceIp: string) => askForSession(inventory, 'a program', sourceIp);
  const statuses = await Promise.all(Array.from({ length: LOG_INS_PER_MINUTE + 5 }, () => ask('192.0.2.77')));
  expect(statuses.filter(({ status }) => status === 201)).toHaveLength(LOG_INS_PER_MINUTE);
  const refused = statuses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(5);
  expect(Number(refused[0]?.headers['Retry-After'])).toBeGreaterThan(0);
  expect((await ask('192.0.2.78')).status).toBe(201);
});

test('an unreadable client name is refused', async () => {
  for (const client_name of ['', 'a\u202eb', 'x'.repeat(129)])
    expect((await askForSession(inventory, client_name)).status).toBe(400);
});
