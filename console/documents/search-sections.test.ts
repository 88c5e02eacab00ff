import { excerptOf, searchIn, type SearchSection } from './search-sections.ts';

const sections: SearchSection[] = [
  { id: 'keys.html', page: 'Keys', title: '', body: 'Each program has a key of its own.' },
  { id: 'keys.html#rotate', page: 'Keys', title: 'Rotate a key', body: 'The old secret works for a while.' },
  {
    id: 'one-machine.html#proxy',
    page: 'One machine',
    title: 'Behind a proxy',
    body: 'Set TRUSTED_PROXIES; the certificate stays.',
  },
  {
    id: 'runbook.html',
    page: 'Runbook',
    title: '',
    body: 'The certificate of a custom domain. The proxy is elsewhere.',
  },
];
const search = searchIn(sections);
const idsOf = (query: string) => search(query).map(({ id }) => id);

test('a heading with the word precedes a text with it', () => {
  expect(idsOf('proxy')).toEqual(['one-machine.html#proxy', 'runbook.html']);
  expect(idsOf('rotate')).toEqual(['keys.html#rotate']);
});

test('every word must be found, as a prefix or with a wrong letter', () => {
  expect(idsOf('proxy domain')).toEqual(['runbook.html']);
  expect(idsOf('certif')).toHaveLength(2);
  expect(idsOf('certifcate')).toHaveLength(2);
  expect(idsOf('proxy nonsense')).toEqual([]);
});

test('names of settings and fields are found by their parts', () => {
  expect(idsOf('TRUSTED_PROXIES')).toEqual(['one-machine.html#proxy']);
  expect(idsOf('trusted')).toEqual(['one-machine.html#proxy']);
});

test('an excerpt contains the first matching word, and ends between words', () => {
  const body = `${'before '.repeat(40)}needle ${'after '.repeat(60)}`.trim();
  const excerpt = excerptOf(body, ['needle']);
  expect(excerpt).toMatch(/^\.\.\. (before )+needle (after )+\.\.\.$/);
  expect(excerpt.length).toBeLessThan(200);
  expect(excerptOf('short text', ['absent'])).toBe('short text');
});
