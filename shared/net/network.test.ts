import { isInNetwork, networks, parseIpAddress, parseNetwork } from './network.ts';

const v4 = (a: number, b: number, c: number, d: number) => ({
  bits: 32,
  value: BigInt(((a * 256 + b) * 256 + c) * 256 + d),
});

test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1'])('%s is 127.0.0.1', (text) => {
  expect(parseIpAddress(text)).toEqual(v4(127, 0, 0, 1));
});

test.each([
  '',
  'example.org',
  '1.2.3.4.5',
  '256.0.0.1',
  '1.2.3.4/8',
  '1.2.3.4:80',
  ':',
  '::1::',
  'fe80::1%eth0',
  'a@1.2.3.4',
])('%j is no address', (text) => {
  expect(parseIpAddress(text)).toBeUndefined();
});

test('an IPv6 address may have any spelling', () => {
  const value = (text: string) => parseIpAddress(text)?.value;
  expect(parseIpAddress('::1')).toEqual({ bits: 128, value: 1n });
  expect(value('2001:db8::1')).toBe((0x2001_0db8n << 96n) + 1n);
  expect(value('2001:DB8:0:0:0:0:0:1')).toBe(value('2001:db8::1'));
  expect(value('::ffff:1.2.3.4')).toBe(0xffff_0102_0304n);
  expect([value('::'), value('1::')]).toEqual([0n, 1n << 112n]);
});

test('a network is an address with a number of bits, or a single address', () => {
  expect(parseNetwork('10.0.0.0/8')).toEqual({ ...v4(10, 0, 0, 0), prefix: 8 });
  expect(parseNetwork('10.0.0.1')).toEqual({ ...v4(10, 0, 0, 1), prefix: 32 });
  expect([parseNetwork('1.2.3.4/0')?.prefix, parseNetwork('1.2.3.4/32')?.prefix]).toEqual([0, 32]);
  expect([parseNetwork('::/128')?.prefix, parseNetwork('::')?.prefix]).toEqual([128, 128]);
  for (const text of ['1.2.3.4/33', '::/129', '1.2.3.4/', '1.2.3.4/x', '1.2.3.4/8/8', 'x/8', '', '1.2.3.4/-1'])
    expect([text, parseNetwork(text)]).toEqual([text, undefined]);
});

test.each([
  ['10.255.255.255', '10.0.0.0/8', true],
  ['11.0.0.0', '10.0.0.0/8', false],
  ['10.0.0.1', '10.0.0.1', true],
  ['10.0.0.0', '10.0.0.1', false],
  ['10.0.0.127', '10.0.0.0/25', true],
  ['10.0.0.128', '10.0.0.0/25', false],
  ['1.2.3.4', '0.0.0.0/0', true],
  ['2001:db8:ffff::', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['::a00:1', '10.0.0.0/8', false],
])('%s in %s: %s', (address, network, expected) => {
  expect(isInNetwork(parseIpAddress(address)!, parseNetwork(network)!)).toBe(expected);
});

test('an invalid constant is an error', () => {
  expect(networks('10.0.0.0/8', '::1')).toHaveLength(2);
  expect(() => networks('10.0.0.0/99')).toThrow('not a network: 10.0.0.0/99');
});
