import { createSecretKey } from 'node:crypto';
import fc from '../testing/fast-check.ts';
import { ApiError } from '../core/errors.ts';
import { makePageToken, readPageToken } from './page-token.ts';

const anyText = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
const position = fc.tuple(anyText, anyText);
const secretOf = (text: string) => createSecretKey(text, 'utf8');
const secret = secretOf('s');

test('a position is decoded from its token', () => {
  fc.assert(
    fc.property(position, anyText, anyText, (at, query, text) =>
      expect(readPageToken(makePageToken(at, query, secretOf(text)), query, secretOf(text))).toEqual(at),
    ),
  );
});

test('a token is valid only for its query and secret', () => {
  fc.assert(
    fc.property(position, anyText, anyText, (at, query, other) => {
      fc.pre(query !== other);
      expect(() => readPageToken(makePageToken(at, query, secret), other, secret)).toThrow(ApiError);
      expect(() => readPageToken(makePageToken(at, 'q', secretOf(query)), 'q', secretOf(other))).toThrow(ApiError);
    }),
  );
});

test('any change of any character is refused', () => {
  fc.assert(
    fc.property(
      position,
      fc.nat(),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      (at, index, character) => {
        const token = makePageToken(at, 'q', secret);
        const where = index % token.length;
        fc.pre(token[where] !== character);
        expect(() => readPageToken(token.slice(0, where) + character + token.slice(where + 1), 'q', secret)).toThrow(
          ApiError,
        );
      },
    ),
  );
});

test('a token has only one spelling', () => {
  // 16 bytes of the tag and 9 of the position: the last character contains four bits that decoders ignore.
  const token = makePageToken(['a', 'b'], 'q', secret);
  const bytes = Buffer.from(token, 'base64url');
  const spellings = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    .map((last) => token.slice(0, -1) + last)
    .concat(bytes.toString('base64'), `${token}=`)
    .filter((spelling) => spelling !== token && Buffer.from(spelling, 'base64url').equals(bytes));
  expect(spellings.length).toBeGreaterThan(1);
  for (const spelling of spellings) expect(() => readPageToken(spelling, 'q', secret)).toThrow(ApiError);
});

test('invented tokens are refused with a 400 for page_token', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (token) => {
      try {
        readPageToken(token, 'q', secret);
        return false;
      } catch (error) {
        return error instanceof ApiError && error.httpStatus === 400 && error.details[0]?.field === 'page_token';
      }
    }),
  );
});

test('a token needs no encoding in a query string', () => {
  fc.assert(fc.property(position, (at) => /^[A-Za-z0-9_-]+$/.test(makePageToken(at, 'q', secret))));
});
