import { BlockList } from 'node:net';
import fc from '../testing/fast-check.ts';
import { foreignCharacter, hostFault, parseHost, sameAddress } from './host.ts';
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
  ['METADATA.google.internal..', 'cloud service'],
  ['metadata.goog', 'cloud service'],
  ['fd20:ce::254', 'cloud service'],
  ['fd00:42::42', 'cloud service'],
  ['168.63.129.16', 'cloud service'],
  ['192.0.0.192', 'cloud service'],
  ['::ffff:192.0.0.192', 'cloud service'],
  ['64:ff9b::100.100.100.200', 'cloud service'],
  // Letters that a URL parser maps to ASCII.
  ['\uff4c\uff4f\uff43\uff41\uff4chost', 'loopback'],
  ['\u{1d425}ocalho\u017ft', 'loopback'],
  ['0\u{1d431}7f000001', 'loopback'],
  ['0x\uff419fea9fe', 'link-local'],
  // RFC 6052 behind prefixes of 48, 56, 64 and 96 bits; 6to4; Teredo, its server and its client; ISATAP.
  ['64:ff9b:1:a9fe:a9:fe00::', 'link-local'],
  ['64:ff9b:1:a9:fe:a9fe::', 'link-local'],
  ['64:ff9b:1:0:a9:fea9:fe00:0', 'link-local'],
  ['64:ff9b:1::169.254.169.254', 'link-local'],
  ['64:ff9b:1:fff:ff00::127.0.0.1', 'loopback'],
  ['2002:7f00:1:2:3:4:5:6', 'loopback'],
  ['2001:0:7f00:1::f5ff:fffe', 'loopback'],
  ['2001:0:a00:1:0:0:5601:5601', 'link-local'],
  ['2001:db8::5efe:169.254.169.254', 'link-local'],
  ['2001:db8::200:5efe:7f00:1', 'loopback'],
  ['::ffff:0:127.0.0.1', 'loopback'],
] as const)('%s is %s', (text, kind) => {
  expect(special(text)).toBe(kind);
});

test.each([
  ...['10.0.0.1', '126.255.255.255', '128.0.0.1', '169.253.255.255', '169.255.0.0', '223.255.255.255', '1.2.3'],
  ...['2001:db8::1', 'fec0::1', 'fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::1'],
  ...['64:ff9b:1:a00:0:100::', '64:ff9b:1::a00:1', '2001:0:a00:1::f5ff:fffe', '2001:db8::5efe:a00:1'],
  ...[
    'a',
    'db-1',
    'db_1',
    'db-1.example.com',
    'localhosts',
    'notlocalhost',
    'b\u00fccher.example',
    '10.0.0.256',
    '\u4e2d\u6587.example',
    '\u0915\u094d\u0937.example',
  ],
])('%s is an ordinary host', (text) => {
  expect(parseHost(text)).toMatchObject({ special: undefined });
});

test.each([
  ...['', ' ', 'a b', 'a/b', 'a?b', 'a#b', 'user@host', 'user:pass@host', '1.2.3.4:5', 'host:80', '[::1]', '[::1]:80'],
  ...['a\\b', 'a%2fb', ':', ':::', '1:2', 'gg::1', '::1%', '12345::', 'http://a', '::1%a b', '2001:db8::1%eth0'],
  // Characters that URL parsers omit or replace, and other characters that no host has.
  ...[
    '169.254.\u00ad169.254',
    '127.0.0.1\ufe0f',
    '127.\u034f0.0.1',
    'local\u00adhost',
    '127.0.0.1\u200b',
    '\uff11\uff12\uff17.0.0.1',
  ],
  ...[
    '127\u30020.0.1',
    '127\uff0e0.0.1',
    '\u2460.0.0.1',
    '127.0.0.\u00b9',
    'x,y',
    'a!b',
    "a'b",
    'a~b',
    'a\u115fb',
    'a\u3164b',
  ],
  ...['a\u200cb', '\ufdfa', 'a\u0661', '\u{1d7cf}27.0.0.1'],
  // A letter whose compatibility form contains another character.
  'a\u0140b',
])('%j is no host', (text) => {
  expect(parseHost(text)).toBeUndefined();
});

test.each([
  ['169.254.\u00ad169.254', 'U+00AD (character 9)'],
  ['127.0.0.1\ufe0f', 'U+FE0F (character 10)'],
  ['\u{1d425}a\u034f', 'U+034F (character 3)'],
  ['fe80::1%eth0', 'U+0025 (character 8)'],
  ['a-b_c.d:1', undefined],
])('the first character of %j that no host has is %s', (text, character) => {
  expect(foreignCharacter(text)).toBe(character);
});

describe('an impossible host name', () => {
  const part = 'a'.repeat(63);
  const numbers = [
    '10.0.0.256',
    '1.2.3',
    '10.1',
    '010.0.0.1',
    '10.0.0.08',
    '10.0.0.1.',
    '1.2.3.4.5',
    '167772161',
    '0xa.1',
  ];
  const faults: readonly (readonly [RegExp, readonly string[]])[] = [
    [/ends in a number/, [...numbers, 'db.1', 'db.0x', 'db-1.0xff', 'db.12.', '0xA000001', '0\u{1d431}0a000001']],
    [/^A dot or hyphen/, ['db..example.com', '.example.com', '.', 'db..', 'b\u00fccher..example']],
    // The second has 64 in Punycode.
    [/or 63 between dots/, [`${part}a.example.com`, `\u00fc${'a'.repeat(57)}.example.com`]],
    [/more than 253 characters/, [`${part}.${part}.${part}.${'a'.repeat(62)}`]],
    [/^A dot or hyphen/, ['-db.example.com', 'db.-example.com', '-', '-\u00fc.-b']],
    [/Punycode/, ['xn--a-.example', 'db.xn--99999999', 'XN--A.b', '\uff44\uff42.xn--']],
  ];
  test.each(faults.flatMap(([message, texts]) => texts.map((text) => [text, message] as const)))(
    '%s has a fault with its remedy',
    (text, message) => {
      expect(hostFault(text)).toMatch(message);
    },
  );

  test.each([
    ...['10.0.0.1', '223.255.255.255', '2001:db8::10', '2001:0DB8:0::10', '::ffff:10.0.0.1'],
    ...[
      'db',
      'db.example.com',
      'db.example.com.',
      'DB-1.example.com',
      'db-',
      'db_1.example.com',
      '_mysql._tcp.example.com',
    ],
    ...[
      '1db',
      '10.0.0.1a',
      '0x1g',
      'db.1a',
      '10-0-0-1',
      'b\u00fccher.example',
      'xn--bcher-kva.example',
      'XN--BCHER-KVA.de',
    ],
    ...[
      `${part}.example.com`,
      `${part}.${part}.${part}.${'a'.repeat(61)}`,
      `${part}.${part}.${part}.${'a'.repeat(61)}.`,
    ],
    'orders.cluster-c9ak.eu-central-1.rds.amazonaws.com',
  ])('%s has none', (text) => {
    expect([parseHost(text)?.special, hostFault(text)]).toEqual([undefined, undefined]);
  });

  const label = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'019aAfFxX-_'.split('')), maxLength: 5 }),
    fc.integer({ min: 0, max: 300 }).map(String),
    fc.constantFrom(
      'xn--bcher-kva',
      'xn--a',
      'xn--',
      'b\u00fccher',
      '\u4e2d',
      '\uff44\uff42',
      'a'.repeat(63),
      'a'.repeat(64),
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const host = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '', '.'))
    .map(([labels, end]) => labels.join('.') + end);

  test('a URL parser accepts every other name, and keeps it', () => {
    let kept = 0;
    fc.assert(
      fc.property(host, (text) => {
        if (parseHost(text) === undefined || hostFault(text) !== undefined) return;
        kept += 1;
        const { hostname } = new URL(`http://${text}/`);
        // Letters beyond ASCII become Punycode.
        if (/^[ -~]*$/.test(text)) expect(hostname).toBe(text.toLowerCase());
        else expect(hostname).toMatch(/^[a-z0-9._-]*[a-z_-][a-z0-9_-]*\.?$/);
        expect(new URL(`http://${hostname}/`).hostname).toBe(hostname);
        for (const hostLabel of hostname.replace(/\.$/, '').split('.')) {
          expect(hostLabel.length).toBeGreaterThan(0);
          expect(hostLabel.length).toBeLessThanOrEqual(63);
        }
        expect(hostname.replace(/\.$/, '').length).toBeLessThanOrEqual(253);
      }),
      { numRuns: 5000 },
    );
    expect(kept).toBeGreaterThan(500);
  });

  test('a name that a URL parser refuses or reads as another host has a fault', () => {
    fc.assert(
      fc.property(host, (text) => {
        if (parseHost(text) === undefined || !/^[ -~]*$/.test(text)) return;
        const url = `http://${text}/`;
        const isKept = URL.canParse(url) && new URL(url).hostname === text.toLowerCase();
        if (!isKept) expect([text, hostFault(text)]).toEqual([text, expect.any(String)]);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('an address as a URL parser reads it', () => {
  const refused = new BlockList();
  for (const [network, prefix] of [
    ...([
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['0.0.0.0', 8],
      ['224.0.0.0', 4],
      ['240.0.0.0', 4],
    ] as const),
    ...([
      ['100.100.100.200', 32],
      ['168.63.129.16', 32],
      ['192.0.0.192', 32],
    ] as const),
  ])
    refused.addSubnet(network, prefix);

  const octet = fc.integer({ min: 0, max: 255 });
  const address = fc.oneof(
    fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.')),
    fc.constantFrom('127.0.0.1', '169.254.169.254', '100.100.100.200', '192.0.0.192', '0.0.0.0', '10.1.2.3'),
  );
  const number = (radix: number) => (value: number) =>
    radix === 16 ? `0x${value.toString(16)}` : radix === 8 ? `0${value.toString(8)}` : String(value);
  const spelling = fc
    .tuple(address, fc.constantFrom(8, 10, 16), fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '.'))
    .map(([text, radix, count, end]) => {
      const parts = text.split('.').map(Number);
      const last = parts.slice(count - 1).reduce((value, part) => value * 256 + part, 0);
      return [...parts.slice(0, count - 1), last].map(number(radix)).join('.') + end;
    });
  // What the parser omits (soft hyphens, selectors, joiners), and replaces (letters, digits and stops of other forms).
  const strange = fc.constantFrom(
    '\u00ad',
    '\ufe0f',
    '\u034f',
    '\u200b',
    '\u2060',
    '\ufeff',
    '\u180b',
    '\u{e0100}',
    '\u3164',
  );
  const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
  const disguised = fc
    .tuple(
      fc.oneof(spelling, fc.constantFrom('localhost', 'metadata.google.internal', 'db-1')),
      strange,
      fc.nat(12),
      fc.nat(3),
    )
    .map(([text, sign, at, how]) => {
      const [head, tail] = [text.slice(0, at), text.slice(at)];
      if (how === 0) return head + sign + tail;
      if (how === 1) return head + wide(tail);
      return how === 2 ? head + wide(tail.slice(0, 1)) + tail.slice(1) : text;
    });
  const anything = fc.oneof(
    disguised,
    spelling,
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );

  const hostnameOf = (text: string) => {
    const url = `http://${text.includes(':') ? `[${text}]` : text}/`;
    return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
  };

  test('no accepted text is a special address for the parser', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const host = parseHost(text);
        const hostname = hostnameOf(text);
        if (host === undefined || host.special !== undefined || hostname === undefined) return;
        expect([text, parseHost(hostname)?.special]).toEqual([text, undefined]);
        const isRefused = /^[0-9.]+$/.test(hostname) && refused.check(hostname);
        expect([text, hostname, isRefused]).toEqual([text, hostname, false]);
        expect(['localhost', 'metadata.google.internal']).not.toContain(hostname);
      }),
      { numRuns: 2000 },
    );
  });

  test('an IPv4 address has the same kind in any spelling, also inside an IPv6 address', () => {
    fc.assert(
      fc.property(spelling, (text) => {
        const hostname = hostnameOf(text)!;
        const isSpecial = refused.check(hostname);
        const [a, b, c, d] = hostname.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
        const inverted = hostname.split('.').map((part) => (255 - Number(part)).toString(16).padStart(2, '0'));
        const [e, f, g, h] = inverted;
        const forms = [
          text,
          hostname,
          `::ffff:${hostname}`,
          `64:ff9b::${a}${b}:${c}${d}`,
          `64:ff9b:1::1:${hostname}`,
          `2002:${a}${b}:${c}${d}::1`,
          `2001:0:a00:1::${e}${f}:${g}${h}`,
          `2001:db8::5efe:${hostname}`,
        ];
        for (const form of forms) {
          // Zero behind a translator: no address that it forwards.
          if (form.startsWith('64:ff9b:1:') && hostname.startsWith('0.')) continue;
          const { special: kind } = parseHost(form) ?? { special: 'invalid' };
          expect([form, kind !== undefined]).toEqual([form, isSpecial]);
        }
      }),
    );
  });
});

test('a network contains the addresses that begin with its bits', () => {
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
