import type { Table } from '../../../shared/db/table.ts';
import { withSend } from '../../../tests/support/table.ts';
import { ensurePageTokenSecret, pageTokenSecret } from './page-token-secret.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();

const secretIn = async (of: Table) => (await pageTokenSecret(of)).export().toString();

test('the first secret stays, and each process reads it once', async () => {
  await expect(pageTokenSecret({ ...table })).rejects.toBeDefined();
  for (const secret of ['first', 'second']) await ensurePageTokenSecret(table, () => secret);
  let reads = 0;
  const send = (command: any) => {
    reads += 1;
    return table.client.send(command);
  };
  const counted = withSend(table, send);
  expect([await secretIn(counted), await secretIn(counted), reads]).toEqual(['first', 'first', 1]);
});

test('a failed read is not cached', async () => {
  let isBroken = true;
  const send = (command: any) => (isBroken ? Promise.reject(new Error('no reply')) : table.client.send(command));
  const failing = withSend(table, send);
  await expect(pageTokenSecret(failing)).rejects.toThrow('no reply');
  await expect(ensurePageTokenSecret(failing, () => 'x')).rejects.toThrow('no reply');
  isBroken = false;
  expect(await secretIn(failing)).toBe('first');
});
