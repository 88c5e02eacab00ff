import { accountNamePattern, maxPasswordLength } from './account-name.ts';
import { randomBytes } from 'node:crypto';
import fc from '../testing/fast-check.ts';
import { newApiKeySecret, newEnrolmentTokenSecret } from './api-key-text.ts';
import { keyUserNames, parseAuthorization, type Credential } from './authorization-header.ts';

const key = newApiKeySecret(randomBytes);
const otherKey = newApiKeySecret(randomBytes);
const keyWithWrongChecksum = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

const missing: Credential = { kind: 'missing' };
const invalid: Credential = { kind: 'invalid' };
const theKey: Credential = { kind: 'key', text: key };

const base64 = (content: string | number[]) =>
  (typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)).toString('base64');
const basic = (content: string | number[]) => `Basic ${base64(content)}`;
const bytesOf = (text: string) => [...Buffer.from(text)];

describe('presence of a credential', () => {
  test.each([
    ['no header', []],
    ['an empty header', ['']],
    ['a blank header', [' \t ']],
  ])('%s is a missing credential, not an invalid one', (_, values) => {
    expect(parseAuthorization(values)).toEqual(missing);
  });

  test.each([
    ['good and bad', [`Bearer ${key}`, 'Bearer x']],
    ['bad and good', ['Bearer x', `Bearer ${key}`]],
    ['good and good', [`Bearer ${key}`, `Bearer ${key}`]],
    ['good and empty', [`Bearer ${key}`, '']],
    ['empty and good', ['', `Bearer ${key}`]],
    ['empty and empty', ['', '']],
  ])('two headers are invalid: %s', (_, values) => {
    expect(parseAuthorization(values)).toEqual(invalid);
  });

  test.each([
    [`Bearer ${key},Bearer ${otherKey}`],
    [`Bearer ${key}, Bearer ${otherKey}`],
    [`Bearer ${key},`],
    [`,Bearer ${key}`],
    [`Bearer ${key},${key}`],
    [`${basic(`api_key:${key}`)},${basic(`api_key:${otherKey}`)}`],
    [`${basic('someone:password')}, Bearer ${key}`],
    [`${basic('someone:password')},`],
  ])('two headers that a proxy joined with a comma are invalid: %s', (value) => {
    expect(parseAuthorization([value])).toEqual(invalid);
  });
});

describe('size', () => {
  const padded = (bytes: number) => `Bearer${' '.repeat(bytes - 6 - key.length)}${key}`;

  test('1,024 bytes are read', () => {
    expect(parseAuthorization([padded(1024)])).toEqual(theKey);
  });

  test('1,025 bytes are invalid', () => {
    expect(parseAuthorization([padded(1025)])).toEqual(invalid);
  });

  test('a blank header of more than 1,024 bytes is invalid', () => {
    expect(parseAuthorization([' '.repeat(1025)])).toEqual(invalid);
  });

  test('megabytes are refused', () => {
    for (const part of ['A', ' ', 'Basic ', ',', ':']) {
      expect(parseAuthorization([`Basic ${part.repeat(1_000_000)}`])).toEqual(invalid);
      expect(parseAuthorization([part.repeat(1_000_000)])).toEqual(invalid);
    }
  });
});

describe('scheme', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('%s announces a key', (scheme) => {
    expect(parseAuthorization([`${scheme} ${key}`])).toEqual(theKey);
  });

  test.each(['Basic', 'basic', 'BASIC', 'bAsIc'])('%s announces a user name and a password', (scheme) => {
    expect(parseAuthorization([`${scheme} ${base64(`api_key:${key}`)}`])).toEqual(theKey);
  });

  test('several spaces may separate scheme and credential', () => {
    expect(parseAuthorization([`Bearer   ${key}`])).toEqual(theKey);
    expect(parseAuthorization([basic(`api_key:${key}`).replace(' ', '   ')])).toEqual(theKey);
  });

  test.each([
    ['another scheme', `Digest ${key}`],
    ['a made-up scheme', `Token ${key}`],
    ['a scheme that begins like a known one', `Bearerx ${key}`],
    ['a letter that only becomes ASCII in lower case', `Ba\u017fic ${base64(`api_key:${key}`)}`],
    ['no space after the scheme', `Bearer${key}`],
    ['a tab after the scheme', `Bearer\t${key}`],
    ['a colon after the scheme', `Bearer: ${key}`],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['Basic alone', 'Basic'],
    ['Basic and a space', 'Basic '],
    ['the key alone', key],
    ['the base64 alone', base64(`api_key:${key}`)],
    ['a space before the scheme', ` Bearer ${key}`],
    ['a space at the end', `Bearer ${key} `],
    ['a line break at the end', `Bearer ${key}\n`],
    ['something after the key', `Bearer ${key} x`],
    ['two words', 'Bearer  a b'],
    ['quotes around the key', `Bearer "${key}"`],
    ['something after the base64', `${basic(`api_key:${key}`)} x`],
    ['base64 under Bearer', `Bearer ${base64(`api_key:${key}`)}`],
    ['a key under Basic', `Basic ${key}`],
  ])('%s is invalid', (_, value) => {
    expect(parseAuthorization([value])).toEqual(invalid);
  });
});

describe('key', () => {
  test.each(['api_key', 'service_token'])('the password of the user %s is a key', (user) => {
    expect(parseAuthorization([basic(`${user}:${key}`)])).toEqual(theKey);
  });

  const almostKeys = ['x', 'password', keyWithWrongChecksum, `${key}:x`, `x${key}`, `${key} `, key.toUpperCase()];

  test.each(almostKeys)('a malformed bearer key is invalid: %j', (text) => {
    expect(parseAuthorization([`Bearer ${text}`])).toEqual(invalid);
  });

  test('an enrolment token in place of a key is named, unless it is mistyped', () => {
    const token = newEnrolmentTokenSecret(randomBytes);
    const headersOf = (text: string) => [`Bearer ${text}`, basic(`api_key:${text}`), basic(`service_token:${text}`)];
    for (const header of headersOf(token)) expect(parseAuthorization([header])).toEqual({ kind: 'token' });
    for (const header of headersOf(`${token}x`)) expect(parseAuthorization([header])).toEqual(invalid);
  });

  test.each(['', ` ${key}`, ...almostKeys])(
    'under a user name for keys, only a key is a valid password: %j',
    (text) => {
      for (const user of keyUserNames) expect(parseAuthorization([basic(`${user}:${text}`)])).toEqual(invalid);
    },
  );

  test.each([
    ['the user name in upper case', `API_KEY:${key}`],
    ['the user name capitalised', `Api_key:${key}`],
    ['a space after the user name', `api_key :${key}`],
    ['an empty user name', `:${key}`],
    ['no colon', `api_key${key}`],
    ['the key for a user name', `${key}:`],
    ['the key for a user name, with a password', `${key}:x`],
    ['nothing at all', ':'],
  ])('%s is invalid', (_, content) => {
    expect(parseAuthorization([basic(content)])).toEqual(invalid);
  });
});

describe('base64', () => {
  const good = base64(`api_key:${key}`); // 65 bytes, so that it ends in one =

  test.each([
    ['junk characters', `${good.slice(0, 8)}!!!!${good.slice(8)}`],
    ['junk at the end', `${good}!!!!`],
    ['a line break inside', `${good.slice(0, 8)}\n${good.slice(8)}`],
    ['a space inside', `${good.slice(0, 8)} ${good.slice(8)}`],
    ['padding missing', good.replace('=', '')],
    ['too much padding', `${good}=`],
    ['a whole group of padding', `${good}====`],
    ['padding in front', `=${good}`],
    ['something after the padding', `${good}YQ==`],
    ['padding only', '===='],
    ['a lone character', 'Y'],
  ])('%s is invalid', (_, credential) => {
    expect(good).toMatch(/[^=]=$/);
    expect(parseAuthorization([`Basic ${good}`])).toEqual(theKey);
    expect(parseAuthorization([`Basic ${credential}`])).toEqual(invalid);
  });

  test('bits set behind the last byte are invalid', () => {
    expect(parseAuthorization(['Basic YTpiYg=='])).toEqual({ kind: 'password', user: 'a', password: 'bb' });
    expect(parseAuthorization(['Basic YTpiYh=='])).toEqual(invalid);
  });

  test('the URL-safe alphabet is invalid', () => {
    const [standard, urlSafe] = [
      base64('a:\u00ff\u00ff>>>???'),
      Buffer.from('a:\u00ff\u00ff>>>???').toString('base64url'),
    ];
    expect(standard).toMatch(/[+/]/);
    expect(parseAuthorization([`Basic ${standard}`]).kind).toBe('password');
    expect(standard.replaceAll('=', '')).toBe(urlSafe.replaceAll('-', '+').replaceAll('_', '/'));
    expect(parseAuthorization([`Basic ${standard.replaceAll('+', '-').replaceAll('/', '_')}`])).toEqual(invalid);
  });

  test('no other header text gives the same credential', () => {
    const edited = fc.tuple(fc.nat({ max: good.length }), fc.nat({ max: 2 }), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(edited, ([position, removed, inserted]) => {
        const changed = good.slice(0, position) + inserted + good.slice(position + removed);
        // Additional spaces between scheme and credential are ignored.
        fc.pre(changed.replace(/^ +/, '') !== good);
        expect(parseAuthorization([`Basic ${changed}`])).not.toEqual(theKey);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('text inside Basic', () => {
  test.each([
    ['a byte that is no UTF-8', [...bytesOf('someone:pass'), 0xff]],
    ['a truncated character', [...bytesOf('someone:pass'), 0xe2, 0x82]],
    ['an overlong NUL', [...bytesOf('someone:pass'), 0xc0, 0x80]],
    ['an overlong slash', [...bytesOf('someone:pass'), 0xc0, 0xaf]],
    ['an encoded surrogate', [...bytesOf('someone:pass'), 0xed, 0xa0, 0x80]],
    ['a code point past the last', [...bytesOf('someone:pass'), 0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1', [...bytesOf('someone:p'), 0xe4, 0x73]],
    ['UTF-16', [...Buffer.from('someone:password', 'utf16le')]],
    ['a byte order mark before an account', [0xef, 0xbb, 0xbf, ...bytesOf('someone:password')]],
    ['a byte order mark before api_key', [0xef, 0xbb, 0xbf, ...bytesOf(`api_key:${key}`)]],
    ['a NUL in the password', bytesOf('someone:pass\0word')],
    ['a NUL at the end', bytesOf('someone:password\0')],
    ['a NUL after a key', bytesOf(`api_key:${key}\0`)],
    ['a line break', bytesOf('someone:password\n')],
    ['a tab', bytesOf('someone:pass\tword')],
    ['DEL', bytesOf('someone:pass\u007fword')],
    ['a C1 control character', bytesOf('someone:pass\u0085word')],
    ['a control character in the user name', bytesOf('some\u0001one:password')],
  ])('%s is invalid', (_, bytes) => {
    expect(parseAuthorization([basic(bytes)])).toEqual(invalid);
  });

  test('every control character is invalid, wherever it stands', () => {
    for (let code = 0; code < 0xa0; code++) {
      if (code >= 0x20 && code < 0x7f) continue;
      expect(parseAuthorization([basic(`someone:pass${String.fromCharCode(code)}word`)])).toEqual(invalid);
    }
  });
});

describe('account and password', () => {
  const accountName = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,63}$/).filter((name) => !keyUserNames.includes(name));
  const printable = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    .filter((text) => !/\p{Cc}/u.test(text));

  test('any account and password are decoded as they were encoded', () => {
    fc.assert(
      fc.property(accountName, printable, (user, password) => {
        expect(parseAuthorization([basic(`${user}:${password}`)])).toEqual({ kind: 'password', user, password });
      }),
    );
  });

  test.each([':', 'a:b', ':leading', 'trailing:', '::'])('a password may contain colons: %s', (password) => {
    expect(parseAuthorization([basic(`someone:${password}`)])).toEqual({ kind: 'password', user: 'someone', password });
  });

  test('a password that looks like a key is still the password of that account', () => {
    const expected = { kind: 'password', user: 'someone', password: key };
    expect(parseAuthorization([basic(`someone:${key}`)])).toEqual(expected);
  });

  test('a password of 512 characters is accepted, one of 513 is invalid', () => {
    expect(maxPasswordLength).toBe(512);
    // The longest possible pair of account name and password must fit into the 1,024 bytes.
    const user = 'a'.repeat(64);
    const password = 'p'.repeat(512);
    expect(parseAuthorization([basic(`${user}:${password}`)])).toEqual({ kind: 'password', user, password });
    expect(parseAuthorization([basic(`${user}:${password}p`)])).toEqual(invalid);
  });

  test.each([
    ['an empty password', 'someone:'],
    ['no colon', 'someone'],
    ['an empty name', ':password'],
    ['a capital letter', 'Someone:password'],
    ['a name that starts with a digit', '1one:password'],
    ['a name that starts with a dash', '-one:password'],
    ['a space in the name', 'some one:password'],
    ['a letter outside ASCII', 's\u00f6meone:password'],
    ['65 characters', `${'a'.repeat(65)}:password`],
    ['a name out of Object.prototype', '__proto__:password'],
  ])('%s is invalid', (_, content) => {
    expect(parseAuthorization([basic(content)])).toEqual(invalid);
  });
});

describe('any header', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
  const value = fc.oneof(
    text,
    text.map((credential) => `Bearer ${credential}`),
    text.map((credential) => `Basic ${credential}`),
    text.map(basic),
    fc.tuple(text, text).map(([user, password]) => basic(`${user}:${password}`)),
    fc.uint8Array({ maxLength: 800 }).map((bytes) => basic([...bytes])),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => basic([...bytesOf('someone:'), ...bytes])),
  );

  test('the result is a valid credential or a refusal, never an exception', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 2 }), (values) => {
        const credential = parseAuthorization(values);
        switch (credential.kind) {
          case 'missing':
            return values.join('').trim() === '';
          case 'invalid':
            return values.length > 0;
          case 'key':
            return /^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/.test(credential.text);
          case 'password':
            return (
              accountNamePattern.test(credential.user) &&
              !keyUserNames.includes(credential.user) &&
              /^\P{Cc}{1,512}$/u.test(credential.password)
            );
        }
      }),
      { numRuns: 3000 },
    );
  });
});
