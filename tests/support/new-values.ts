import fc from '../../shared/testing/fast-check.ts';

/* Values of the fields with rules for new values (shared/core/new-value-rule.ts), valid and invalid ones. */

/** Characters that some rule names, and some that none does. */
const characters = fc.constantFrom(
  ...'aZ09.-_:/@ ,%[]\\'.split(''),
  ...['ö', 'e\u0301', '日', '\u00a0', '\u200b', '\u00ad', '\ufe0f', '\u2800', '👍', '👨‍👩‍👧', '١', '。'],
);
const anyText = fc.array(characters, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
const longLabel = fc.integer({ min: 60, max: 66 }).map((length) => 'a'.repeat(length));
const domain = fc.array(fc.oneof({ weight: 9, arbitrary: label }, longLabel), { minLength: 1, maxLength: 4 });

const octet = fc.oneof(fc.integer({ min: 0, max: 260 }).map(String), fc.constantFrom('0x7f', '0177', '00', '127'));
const dotted = fc.array(octet, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));

/** Of networks that are special, and of others. */
const v6 = fc.oneof(
  fc.ipV6(),
  fc
    .tuple(
      fc.constantFrom(
        '::',
        '::ffff:',
        '64:ff9b::',
        '64:ff9b:1::',
        '2002:',
        'fe80::',
        'ff02::',
        'fd00:ec2::',
        '2001:db8::',
      ),
      fc.constantFrom('7f00:1', '127.0.0.1', 'a9fe:a9fe::', '1', '5efe:7f00:1', '10.0.0.1', '7f00:1::', ''),
    )
    .map((parts) => parts.join('')),
);

const special = fc.constantFrom(
  ...[
    'localhost',
    'LocalHost.',
    'db.localhost',
    'ip6-loopback',
    'metadata',
    'metadata.google.internal',
    'instance-data',
  ],
  ...[
    '127.0.0.1',
    '127.1',
    '169.254.169.254',
    '100.100.100.200',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '192.0.0.192',
  ],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '::ffff:10.0.0.1',
  ],
);
const wrong = fc.constantFrom(
  ...[
    '10.0.0.1:3306',
    'mysql://10.0.0.1',
    'http://x/',
    'db..example.com',
    '.example.com',
    'db-.example.com',
    '-db',
    'db.',
  ],
  ...[
    '1.2.3',
    '10.0.0.256',
    '[::1]',
    'fe80::1%eth0',
    'user@host',
    'host/path',
    'xn--a',
    'xn--bcher-kva.example',
    'bücher.example',
  ],
);

export const newAddress = fc.oneof(
  { weight: 3, arbitrary: domain.map((labels) => labels.join('.')) },
  { weight: 2, arbitrary: fc.ipV4() },
  ...[dotted, v6, special, wrong, anyText],
);

export const newName = fc.oneof(
  { weight: 3, arbitrary: label },
  { weight: 2, arbitrary: anyText },
  fc.constantFrom(
    ' a',
    'a ',
    '\ta',
    'a\u2003b',
    'caf\u00e9',
    'cafe\u0301',
    '❤️',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'a\u200db',
    'a\u{e0061}',
    '\ufff9',
  ),
);

const paths = fc.array(fc.constantFrom('/', '\\', 'a', '.', '..', 'run', ' ', '?'), { minLength: 1, maxLength: 5 });

export const newSocket = fc.oneof(
  fc.constantFrom('/run/mysqld.sock', 'mysqld.sock', '/'),
  paths.map((parts) => parts.join('')),
);

export const newMetricsPath = fc.oneof(
  fc.constantFrom('/metrics', 'metrics', '/', '//evil', '/\\evil'),
  paths.map((parts) => parts.join('')),
);
