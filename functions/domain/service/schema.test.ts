import * as z from 'zod/mini';
import { newValueViolations } from '../fields/stored-values.ts';
import { MAX_NODES_PER_SERVICE, serviceAddition, serviceChange, serviceDesired } from './schema.ts';

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
const body = (more: object = {}) => ({ service_type: 'mysql', service_name: 's', address: 'a', port: 3306, ...more });

/** The messages of the violations. */
const violations = (value: object) => {
  const { error } = z.safeParse(serviceAddition, value);
  return (error?.issues ?? []).map(({ message, path }) => `${path.join('.')}: ${message}`);
};

test('a service has an address with a port, or a socket', () => {
  const given = (more: object) => violations({ service_type: 'mysql', service_name: 's', ...more });
  expect([given({ address: 'a', port: 1 }), given({ socket: '/s' })]).toEqual([[], []]);
  expect(given({})).toEqual(['address: Neither socket nor address passed.']);
  expect(given({ address: 'a' })).toEqual(['port: Port is expected to be passed along with the host address.']);
  expect(given({ address: 'a', port: 1, socket: '/s' })).toEqual([
    'socket: Socket and address cannot be specified together.',
  ]);
  expect(given({ socket: '/s', port: 1 })).toEqual(['port: Socket and port cannot be specified together.']);
});

test('a socket is an absolute path, and a stored one is unchanged', () => {
  const given = (socket: string) => violations({ service_type: 'mysql', service_name: 's', socket });
  expect([given('/run/mysqld/mysqld.sock'), given('/tmp/.s.PGSQL.5432')]).toEqual([[], []]);
  for (const socket of [
    'mysql.sock',
    './mysql.sock',
    '~/mysql.sock',
    '/',
    '\\\\.\\pipe\\MySQL',
    'C:\\mysql.sock',
    ' /a',
    'unix:///a',
  ])
    expect([socket, given(socket)]).toEqual([
      socket,
      ['socket: Must be an absolute path, such as /run/mysqld/mysqld.sock.'],
    ]);
  const old = { service_type: 'mysql', service_name: 's', socket: 'mysql.sock' };
  expect(newValueViolations(serviceAddition, { ...old, cluster: 'c' }, old)).toEqual([]);
  expect(newValueViolations(serviceAddition, { ...old, socket: 'other.sock' }, old)).toMatchObject([
    { field: 'socket' },
  ]);
});

test('a service runs on up to 20 nodes, each once', () => {
  expect(MAX_NODES_PER_SERVICE).toBe(20);
  const accepts = (node_ids: string[]) => violations(body({ node_ids })).length === 0;
  expect([accepts([]), accepts(ids(20)), accepts(ids(21)), accepts([...ids(1), ...ids(1)])]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const desired = (count: number) => z.safeParse(serviceDesired, body({ node_names: ids(count) })).success;
  expect([desired(20), desired(21)]).toEqual([true, false]);
});

test('a port is 1 to 65535', () => {
  const accepts = (port: unknown) => violations(body({ port })).length === 0;
  expect([0, 1, 65_535, 65_536, 1.5, '1'].map(accepts)).toEqual([false, true, true, false, false, false]);
});

test('a change contains neither name nor type, and may clear the nodes', () => {
  const accepts = (change: object) => z.safeParse(serviceChange, change).success;
  expect(accepts({ node_ids: null, cluster: null, custom_labels: { a: null } })).toBe(true);
  expect([accepts({ service_name: 'x' }), accepts({ service_type: 'mysql' })]).toEqual([false, false]);
});
