import fc from '../../../shared/testing/fast-check.ts';
import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { MAX_TARGET_BYTES, META, targetLabels } from './target-labels.ts';

const DROPPED = `${META}dropped_labels`;
const attributes = { job: 'node_exporter', [`${META}node_name`]: 'db-1' };
const custom = (labels: Readonly<Record<string, string>>) => new Map(Object.entries(labels));
const namesOf = (labels: Readonly<Record<string, string>>) =>
  Object.keys(labels)
    .filter((name) => name.startsWith(`${META}label_`))
    .map((name) => name.slice(`${META}label_`.length));

test('a target within the maximum keeps exactly its labels', () => {
  const { labels, dropped } = targetLabels(attributes, custom({ team: 'a', note: 'x'.repeat(5000) }));
  expect(dropped).toBe(0);
  expect(labels).toEqual({ ...attributes, [`${META}label_team`]: 'a', [`${META}label_note`]: 'x'.repeat(5000) });
});

test('a larger target loses its largest labels, by name among equal sizes, and counts them', () => {
  const large = Object.fromEntries(['c', 'a', 'b'].map((name) => [name, 'x'.repeat(3500)]));
  const { labels, dropped } = targetLabels(attributes, custom({ team: 'payments', ...large, tier: 'gold' }));
  expect([namesOf(labels), dropped, labels[DROPPED]]).toEqual([['team', 'c', 'b', 'tier'], 1, '1']);
});

const character = fc.constantFrom('a', '"', '\\', '\u4e2d', '\u{1f600}');
const value = fc.string({ unit: character, maxLength: 1024 });
const labelSets = fc.dictionary(fc.stringMatching(/^[a-z]{1,40}$/), value, { maxKeys: 64 });

test('with any characters, labels fit, dropped ones are larger than the others, and no dropped one would fit', () => {
  fc.assert(
    fc.property(labelSets, (set) => {
      const { labels, dropped } = targetLabels(attributes, custom(set));
      const size = (some: object) => jsonBytesInReply(JSON.stringify(some));
      expect(size(labels)).toBeLessThanOrEqual(MAX_TARGET_BYTES);
      const kept = namesOf(labels);
      expect([dropped, labels[DROPPED]]).toEqual([
        Object.keys(set).length - kept.length,
        dropped === 0 ? undefined : String(dropped),
      ]);
      const sizes = (names: readonly string[]) => names.map((name) => size([name, set[name]]));
      const absent = Object.keys(set).filter((name) => !kept.includes(name));
      if (absent.length === 0) return;
      const [smallest, name] = absent
        .map((attribute) => [size([attribute, set[attribute]]), attribute] as const)
        .reduce((left, right) => (right[0] < left[0] ? right : left));
      expect(Math.max(0, ...sizes(kept))).toBeLessThanOrEqual(smallest);
      const more = { ...labels, [`${META}label_${name}`]: set[name] };
      // Without the label that counts them, whose number would be one less.
      expect(size(more)).toBeGreaterThan(MAX_TARGET_BYTES - 60);
    }),
    { numRuns: 100 },
  );
});

test('attributes stay, also above the maximum', () => {
  const name = '"'.repeat(4000);
  const { labels, dropped } = targetLabels({ [`${META}node_name`]: name }, custom({ team: 'a' }));
  expect([labels, dropped]).toEqual([{ [`${META}node_name`]: name, [DROPPED]: '1' }, 1]);
});
