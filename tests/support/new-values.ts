import type { NewValueRule } from '../../shared/core/new-value-rule.ts';
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

const words = (text: string) => text.trim().split(/\s+/);

/** Values that a rule names, and random ones. */
interface Values {
  named: readonly string[];
  random: fc.Arbitrary<string>;
}

const addresses: Values = {
  named: words(`
    db-1 db.example.com DB_1.example. bücher.example xn--bcher-kva.example xn--a 10.0.0.1 2001:db8::1 ::ffff:10.0.0.1
    localhost LocalHost. db.localhost localhost4.localdomain4 ip6-loopback metadata metadata.google.internal instance-data
    127.0.0.1 127.1 0x7f.1 169.254.169.254 100.100.100.200 0.0.0.0 255.255.255.255 224.0.0.1 192.0.0.192 168.63.129.16
    ::1 :: fe80::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1
    64:ff9b:1:7f00:0:100:: 2002:7f00:1:: 2001:0:7f00:1:: 2001:0:a00:1::80ff:fffe 2001:db8::5efe:7f00:1
    10.0.0.1:3306 mysql://10.0.0.1 http://x/ db..example.com .example.com db-.example.com -db db.-example db.
    1.2.3 10.0.0.256 db.1 db.0x1f [::1] fe80::1%eth0 1::2::3 user@host host/path 10.0.0.1\u200b ${'a'.repeat(64)}
  `),
  random: fc.oneof(
    { weight: 6, arbitrary: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}(\.[a-z]{2,5}){0,2}$/) },
    { weight: 3, arbitrary: fc.ipV4() },
    ...[domain.map((labels) => labels.join('.')), dotted, v6, anyText],
  ),
};

const names: Values = {
  named: [
    ...[
      'db-1',
      'db 1',
      ' db',
      'db ',
      '\tdb',
      'db\u2003',
      'a\u2003b',
      'a\u00a0b',
      'a\u2800b',
      'café',
      'cafe\u0301',
      '日本',
    ],
    ...['a\u00adb', 'a\u200bb', 'a\u200db', 'a\u{e0061}', '\ufff9', 'a\ufdd0', '❤️', '1️⃣', '👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ],
  random: fc.oneof({ weight: 2, arbitrary: label }, anyText),
};

const paths: Values = {
  named: ['/metrics', '/run/mysqld.sock', '/', 'metrics', 'mysqld.sock', '//evil', '/\\evil', '\\\\evil', './a'],
  random: fc
    .array(fc.constantFrom('/', '/run', '\\', 'a', '..', ' ', '?'), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join('')),
};

/** By the name of the rule. */
export const newValues = { legible: names, form: paths, host: addresses } satisfies Record<
  NewValueRule['rule'],
  Values
>;

const anyOf = ({ named, random }: Values) => fc.oneof({ weight: 3, arbitrary: random }, fc.constantFrom(...named));

export const [newName, newPath, newAddress] = [anyOf(names), anyOf(paths), anyOf(addresses)];
