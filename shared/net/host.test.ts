import { parseHost, sameAddress } from './host.ts';
import { isInNetwork, parseIpAddress, parseNetwork } from './network.ts';

const special = (text: string) => parseHost(text)?.special;

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback'],
  ['0x7f.1', 'loopback'],
  ['0x7f000001', 'loopback'],
  ['2130706433', 'loopback'],
  ['0177.0.0.01', 'loopback'],
  ['127.0.0.1.', 'loopback'],
  ['\uff11\uff12\uff17.0.0.1', 'loopback'],
  ['127\u30020.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['localhost', 'loopback'],
  ['LocalHost.', 'loopback'],
  ['a.localhost', 'loopback'],
  ['localhost.localdomain', 'loopback'],
  ['ip6-loopback', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['0xa9fea9fe', 'link-local'],
  ['2852039166', 'link-local'],
  ['::ffff:a9fe:a9fe', 'link-local'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf::1', 'link-local'],
  ['0.0.0.0', 'unspecified'],
  ['0', 'unspecified'],
  ['::', 'unspecified'],
  ['::ffff:0:0', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'reserved'],
  ['fd00:ec2::254', 'cloud service'],
  ['100.100.100.200', 'cloud service'],
  ['metadata.google.internal', 'cloud service'],
] as const)('%s is %s', (text, kind) => {
  expect(special(text)).toBe(kind);
});

test.each([
  ...['10.0.0.1', '126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.0', '223.255.255.255', '1.2.3'],
  ...['2001:db8::1', 'fec0::1', 'fd00::1', '::ffff:10.0.0.1', '2001:db8::1%eth0', '64:ff9b::a00:1'],
  ...[
    'a',
    'db-1',
    'db_1',
    'db-1.example.com',
    'localhosts',
    'notlocalhost',
    'b\u00fccher.example',
    '10.0.0.256',
    'x,y',
  ],
])('%s is a host like any other', (text) => {
  expect(parseHost(text)).toMatchObject({ special: undefined });
});

test.each([
  ...['', ' ', 'a b', 'a/b', 'a?b', 'a#b', 'user@host', 'user:pass@host', '1.2.3.4:5', 'host:80', '[::1]', '[::1]:80'],
  ...['a\\b', 'a%2fb', ':', ':::', '1:2', 'gg::1', '::1%', '12345::', 'http://a', '::1%a b'],
])('%j is no host', (text) => {
  expect(parseHost(text)).toBeUndefined();
});

test('a network has the addresses that begin with its bits', () => {
  const has = (network: string, ip: string) => isInNetwork(parseIpAddress(ip)!, parseNetwork(network)!);
  expect([has('10.0.0.0/8', '10.255.0.1'), has('10.0.0.0/8', '11.0.0.0'), has('10.9.9.9/8', '10.1.1.1')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([has('10.0.0.1', '10.0.0.1'), has('10.0.0.1', '10.0.0.2'), has('0.0.0.0/0', '1.2.3.4')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([has('2001:db8::/33', '2001:db8:7fff::1'), has('2001:db8::/33', '2001:db8:8000::')]).toEqual([true, false]);
  expect(has('::/0', '1.2.3.4')).toBe(false);
  for (const text of ['', '/', '10.0.0.0/33', '10.0.0.0/', 'a/8', '::/129', '10.0.0.0/8/8', '10.0.0.0/-1', 'a'])
    expect(parseNetwork(text)).toBeUndefined();
});

test('an IPv4 address inside an IPv6 address is the same address', () => {
  const same = (left: string, right: string) => sameAddress(parseIpAddress(left)!, parseIpAddress(right)!);
  expect([same('::ffff:10.0.0.1', '10.0.0.1'), same('10.0.0.1', '10.0.0.2'), same('::1', '::1')]).toEqual([
    true,
    false,
    true,
  ]);
});
