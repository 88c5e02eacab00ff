import { escapedWord, splitLine } from './command-line.ts';

test.each([
  ['inventory get nodes', ['get'], 'nodes', ''],
  ['inventory get nodes ', ['get', 'nodes'], '', ''],
  ['/usr/bin/inventory  get\tn', ['get'], 'n', ''],
  ['sudo inventory get n', ['get'], 'n', ''],
  ["inventory get 'a b' c", ['get', 'a b'], 'c', ''],
  ["inventory get 'a b", ['get'], 'a b', "'"],
  ['inventory get "a \\" b', ['get'], 'a " b', '"'],
  ["inventory get 'a\\' b", ['get', 'a\\'], 'b', ''],
  ['inventory get a\\ b', ['get'], 'a b', ''],
  ["inventory get '' x", ['get', ''], 'x', ''],
  ["inventory get a'b'c", ['get'], 'abc', ''],
])('%j has the words %j, and %j at the cursor', (line, words, word, quote) =>
  expect(splitLine(line)).toMatchObject({ words, word, quote }),
);

test('a shell replaces the part of a word after a separator, or after the quote', () => {
  const from = (line: string) => splitLine(line, ':=').replacedFrom;
  expect(from('inventory x --url=http:')).toBe('--url=http:'.length);
  expect(from('inventory x --url')).toBe(0);
  expect(from("inventory x ab'c=d")).toBe(2);
  expect(from('inventory x a=b ')).toBe(0);
  expect(from("inventory x a=b 'c")).toBe(0);
});

test('a word is escaped for every shell', () => {
  expect(escapedWord('node/db-1_a@b%c+d=e:f,g.h')).toBe('node/db-1_a@b%c+d=e:f,g.h');
  expect(escapedWord("a b'c$d")).toBe("a\\ b\\'c\\$d");
});
