import fc from '../testing/fast-check.ts';
import { digestTag, etag, matches, namesTag, parseRevisions } from './etag.ts';

test('a revision matches only its own tag', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (mine, other) => {
      const parsed = parseRevisions(etag(mine), 'strong')!;
      expect(matches(parsed, mine)).toBe(true);
      expect(matches(parsed, other)).toBe(mine === other);
    }),
  );
});

test('a list matches each of its tags', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (revisions) => {
      const parsed = parseRevisions(revisions.map(etag).join(', '), 'strong')!;
      expect(revisions.every((revision) => matches(parsed, revision))).toBe(true);
    }),
  );
});

test('a star matches any tag, and an absent header requires nothing', () => {
  expect(matches(parseRevisions('*', 'strong')!, 7)).toBe(true);
  expect(parseRevisions(undefined, 'strong')).toBeUndefined();
});

test('weak tags match only weakly', () => {
  expect(matches(parseRevisions('W/"3"', 'weak')!, 3)).toBe(true);
  expect(matches(parseRevisions('W/"3"', 'strong')!, 3)).toBe(false);
});

test('a foreign tag matches nothing and is no error', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (header, revision) => {
      fc.pre(!/["*]/.test(header));
      expect(matches(parseRevisions(header, 'weak')!, revision)).toBe(false);
    }),
  );
});

test('a digest matches only its own text, in a list and weakly too', () => {
  const tag = digestTag('[]');
  for (const header of [tag, tag.slice(2), `"1", ${tag} ,W/"x"`, '*', ' * ']) expect(namesTag(header, tag)).toBe(true);
  for (const header of [undefined, '', '"1"', digestTag('[ ]'), tag.slice(0, -2), '"*"'])
    expect(namesTag(header, tag)).toBe(false);
});
