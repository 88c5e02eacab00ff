import { isCompressed, isDeclaredAs } from './content-type.ts';

const json = (contentType: string | undefined, contentEncoding?: string) =>
  isDeclaredAs(['application/json'], { contentType, contentEncoding });

test.each([
  'application/json',
  'Application/JSON',
  ' application/json ',
  'application/json;charset=utf-8',
  'application/json ; charset=UTF-8',
  'application/json\t;\tcharset="utf-8"',
  'application/json; charset=utf8',
  'application/json;charset="UTF8"',
  'application/json; version=1',
])('%j is JSON in UTF-8', (type) => expect(json(type)).toBe(true));

test.each([
  undefined,
  '',
  'json',
  'text/json',
  'application/jsonx',
  'application/vnd.api+json',
  'application/json, text/plain',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json; charset=utf-80',
  'application/json; charset=utf--8',
  'application/json; charset=cutf8',
  'application /json',
])('%j is not JSON in UTF-8', (type) => expect(json(type)).toBe(false));

test('identity is the only content encoding', () => {
  expect([undefined, '', ' Identity ', 'gzip', 'br, identity'].map(isCompressed)).toEqual([
    ...[false, false, false, true, true],
  ]);
  for (const encoding of ['', 'identity', ' Identity ']) expect(json('application/json', encoding)).toBe(true);
  for (const encoding of ['gzip', 'br', 'gzip, identity', 'unknown'])
    expect(json('application/json', encoding)).toBe(false);
});
