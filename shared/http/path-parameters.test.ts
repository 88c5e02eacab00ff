import fc from '../testing/fast-check.ts';
import { pathParametersOf } from './path-parameters.ts';

const template = '/v1/books/by-title/{title}';
const of = (path: string, pathParameters: Record<string, string> | null = null) =>
  pathParametersOf(template, { path, pathParameters });

test('any title is decoded to its original', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (title) => {
      expect(of(`/v1/books/by-title/${encodeURIComponent(title)}`)).toEqual({ title });
    }),
  );
  for (const title of ['a/b', '%2F', '100%', '%25', '..', '+'])
    expect(of(`/v1/books/by-title/${encodeURIComponent(title)}`)).toEqual({ title });
});

test('gateway parameters are read decoded or not', () => {
  for (const title of ['a%2Fb', 'a/b', 'a'])
    expect(of('/v1/books/by-title/a%252Fb', { title })).toEqual({ title: 'a%2Fb' });
});

test('a prefix before the path, as of a custom domain, is ignored', () => {
  expect(of('/library/v1/books/by-title/a%20b')).toEqual({ title: 'a b' });
});

test('a path that was already decoded is unchanged; one that a slash divides is what the gateway read', () => {
  expect(of('/v1/books/by-title/100% true')).toEqual({ title: '100% true' });
  expect(of('/v1/books/by-title/\u4e2d%20')).toEqual({ title: '\u4e2d%20' });
  expect(of('/v1/books/by-title/a/b', { title: 'a/b' })).toEqual({ title: 'a/b' });
  expect(of('/v1/books/by-title/a/b')).toEqual({});
});

test.each(['%', '%zz', '%ED%A0%80', '%C3%28', 'a%2'])('%s is invalid UTF-8 and refused', (segment) => {
  expect(() => of(`/v1/books/by-title/${segment}`)).toThrow('Is not percent-encoded UTF-8.');
});
