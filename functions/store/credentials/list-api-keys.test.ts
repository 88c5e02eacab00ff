import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../shared/db/table.ts';
import { addKey } from '../../../tests/support/credentials.ts';
import { clear, withSend } from '../../../tests/support/table.ts';
import { registrarName } from './enrol-node.ts';
import { type KeySelection, listApiKeys } from './list-api-keys.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const { table } = useTable();
afterEach(() => clear(table));

const names = ({ objects }: Awaited<ReturnType<typeof listApiKeys>>) => objects.map(({ name }) => name);

test('lists keys by name across pages, and a page with the last key is the last one', async () => {
  for (const name of ['b', 'c', 'a']) await addKey(table, { name });
  const first = await listApiKeys(table, { size: 2, after: undefined });
  expect([names(first), first.next?.[0]]).toEqual([['a', 'b'], 'b']);
  const second = await listApiKeys(table, { size: 1, after: first.next });
  expect([names(second), second.next]).toEqual([['c'], undefined]);
});

describe('with keys of hosts between those of programs', () => {
  const programs = ['a', 'registrar', 'registrar.', 'registrar0', 'z'];
  const hosts = Array.from({ length: 30 }, (_, index) => registrarName(`web-${10 + index}`));
  beforeEach(async () => {
    for (const name of programs) await addKey(table, { name });
    for (const name of hosts) await addKey(table, { name, role: 'Registrar' });
  });

  async function all(selection: KeySelection, size: number): Promise<string[]> {
    const keyNames: string[] = [];
    for (let after: Parameters<typeof listApiKeys>[1]['after']; ;) {
      const page = await listApiKeys(table, { size, after }, selection);
      keyNames.push(...names(page));
      if (page.next === undefined) return keyNames;
      after = page.next;
    }
  }

  test.each([1, 2, 3, 4, 5, 6, 40])('pages of every size select the same: %d', async (size) => {
    expect(await all({ excludeHosts: true }, size)).toEqual(programs);
    expect(await all({ prefix: 'registrar/web-1' }, size)).toEqual(hosts.slice(0, 10));
    expect(await all({ prefix: 'reg', excludeHosts: true }, size)).toEqual(programs.slice(1, 4));
    expect(await all({ prefix: 'registrar/', excludeHosts: true }, size)).toEqual([]);
    expect(await all({}, size)).toEqual([...programs, ...hosts].sort());
  });

  test('a page reads only its own keys', async () => {
    const limits: (number | undefined)[] = [];
    const send = async (command: any) => {
      if (command instanceof QueryCommand) limits.push(command.input.Limit);
      return table.client.send(command);
    };
    const counted: Table = withSend(table, send);
    await listApiKeys(counted, { size: 5, after: undefined }, { excludeHosts: true });
    expect(limits).toEqual([6, 3]);
  });
});
