import * as z from 'zod/mini';
import { allowedAddresses, nodeAddress, reachableHost, serviceAddress, storedAddress } from './address.ts';

const NO_HOST = 'Must be a host name, an IP address or an instance identifier, without a port, a user or a path.';
const messageOf = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).error?.issues[0]?.message;

const faulty = [
  ...['10.0.0.256', '010.0.0.1', '1.2.3', '10.1', '1.1.1.1.', 'db.0x1f', 'db..example.com', '.example.com'],
  ...[`${'a'.repeat(64)}.example.com`, '-db.example.com', 'xn--a', `${'a.'.repeat(126)}bc`],
];

test.each(faulty)('%s is refused as a new address, with the remedy, and can be a stored one', (text) => {
  for (const schema of [nodeAddress, serviceAddress])
    expect(messageOf(schema, text)).toMatch(/^Must be a host name, .* path\. .+: .+\.$/);
  expect(messageOf(allowedAddresses, [text])).toMatch(/^Must be an IP address, .* \*\.example\.com\. .+: .+\.$/);
  expect(messageOf(storedAddress, text)).toBeUndefined();
  // A stored one stays a target.
  expect(reachableHost(text)).toBeDefined();
});

test('the message names the fault and the remedy', () => {
  expect(messageOf(nodeAddress, 'db..example.com')).toBe(
    `${NO_HOST} A dot or hyphen begins it, or follows a dot: remove it.`,
  );
});

test.each([
  ...[
    '10.0.0.1',
    '2001:db8::10',
    'db.example.com.',
    'db_1.example.com',
    '_mysql._tcp.example.com',
    'b\u00fccher.example',
  ],
  ...['xn--bcher-kva.example', 'mysql-0.mysql.prod.svc.cluster.local', 'HOST', 'a'.repeat(63)],
])('%s is an address', (text) => {
  for (const schema of [nodeAddress, serviceAddress]) expect(messageOf(schema, text)).toBeUndefined();
});

test('a host may be allowed names, domains, addresses and networks', () => {
  const allowed = [
    '*',
    '*.example.com',
    'db.example.com',
    '10.0.0.0/8',
    '10.0.0.1',
    '2001:db8::/32',
    '::1',
    '127.0.0.1',
  ];
  expect(messageOf(allowedAddresses, allowed)).toBeUndefined();
  for (const text of ['*.10', '10.1/16', '*..example.com', '10.0.0.256/8'])
    expect(messageOf(allowedAddresses, [text])).toMatch(/: .+\.$/);
});
