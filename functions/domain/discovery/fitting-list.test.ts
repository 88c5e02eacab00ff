import fc from '../../../shared/testing/fast-check.ts';
import { jsonBytesInReply } from '../../../shared/core/reply-size.ts';
import { fittingList, LEAST_TARGET_BYTES } from './fitting-list.ts';
import type { TargetGroup } from './target-group.ts';
import { META, META_LABEL } from './target-labels.ts';

const DROPPED = `${META}dropped_labels`;
const bytesOf = (value: unknown) => jsonBytesInReply(JSON.stringify(value));

function target(agent: string, custom: Readonly<Record<string, string>>, attributes = {}): TargetGroup {
  const customEntries = Object.entries(custom).map(([name, value]) => [META_LABEL + name, value]);
  const ids = { [`${META}agent_id`]: agent, [`${META}node_id`]: `node of ${agent}` };
  return {
    targets: ['10.0.0.1:9100'],
    labels: { __metrics_path__: '/metrics', job: 'j', ...ids, ...attributes, ...Object.fromEntries(customEntries) },
  };
}

const large = (agent: string) =>
  target(agent, { team: 'a', small: 'x', text: 'y'.repeat(3000), note: 'z'.repeat(3000) });
const usual = (agent: string) => target(agent, { team: 'b', note: 'z'.repeat(1000) });
const owned = (groups: readonly TargetGroup[]) => groups.map(({ labels }) => labels[`${META_LABEL}team`]);

test('a list within the maximum is unchanged', () => {
  const groups = [large('1'), usual('2')];
  expect(fittingList(groups, owned(groups), bytesOf(groups) + 10)).toEqual(groups);
});

test('the owner with most bytes loses its largest labels, its targets state that, and others are unchanged', () => {
  const groups = [...Array.from({ length: 20 }, (_, index) => large(`a${index}`)), large('unowned'), usual('b')];
  const owners = groups.map(({ labels }) => (labels[`${META}agent_id`]!.startsWith('a') ? 'a' : undefined));
  const total = 80_000;
  const list = fittingList(groups, owners, total)!;
  expect(bytesOf(list)).toBeLessThanOrEqual(total);
  expect(list.slice(20)).toEqual(groups.slice(20));
  for (const { labels } of list.slice(0, 20)) {
    expect(labels).toMatchObject({ [DROPPED]: '1', [`${META_LABEL}team`]: 'a', [`${META_LABEL}small`]: 'x' });
    expect(labels).not.toHaveProperty(`${META_LABEL}note`);
  }
});

test('attributes follow custom labels, ids stay, and formerly dropped labels count', () => {
  const attributes = { [`${META}node_model`]: '"'.repeat(900), [`${META}node_name`]: 'db-1', [DROPPED]: '3' };
  const groups = Array.from({ length: 10 }, (_, index) => target(`a${index}`, { l: 'x'.repeat(500) }, attributes));
  const list = fittingList(groups, owned(groups), 10 * LEAST_TARGET_BYTES)!;
  expect(list[0]!.labels).toEqual({
    ...{ __metrics_path__: '/metrics', job: 'j', [`${META}agent_id`]: 'a0', [`${META}node_id`]: 'node of a0' },
    ...{ [`${META}node_name`]: 'db-1', [DROPPED]: '5' },
  });
});

test('a list with too many targets does not fit', () => {
  const groups = Array.from({ length: 10 }, (_, index) => large(String(index)));
  expect(fittingList(groups, owned(groups), 10 * LEAST_TARGET_BYTES - 1)).toBeUndefined();
  expect(fittingList(groups, owned(groups), 10 * LEAST_TARGET_BYTES)).toHaveLength(10);
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\u4e2d'), maxLength: 700 });
const groupsOf = fc.array(
  fc.record({
    owner: fc.constantFrom('a', 'b', undefined),
    labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text),
    model: text,
  }),
  { minLength: 3, maxLength: 12 },
);

test('any list fits or is refused, keeps all targets, and small targets are unchanged', () => {
  fc.assert(
    fc.property(groupsOf, fc.integer({ min: 2000, max: 40_000 }), (entries, total) => {
      const groups = entries.map(({ labels, model }, index) =>
        target(String(index), labels, { [`${META}node_model`]: model }),
      );
      const list = fittingList(
        groups,
        entries.map(({ owner }) => owner),
        total,
      );
      if (list === undefined) {
        const least = groups.map((group) => Math.min(bytesOf(group), LEAST_TARGET_BYTES));
        expect(least.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(total);
        return;
      }
      expect(bytesOf(list)).toBeLessThanOrEqual(total);
      expect(list.map(({ labels }) => labels[`${META}agent_id`])).toEqual(groups.map((_, index) => String(index)));
      for (const [index, group] of groups.entries()) {
        if (bytesOf(group) <= LEAST_TARGET_BYTES) expect(list[index]).toEqual(group);
        const names = (group: TargetGroup) => Object.keys(group.labels).filter((name) => name !== DROPPED);
        const absent = names(group).length - names(list[index]!).length;
        expect(list[index]!.labels[DROPPED]).toBe(absent === 0 ? undefined : String(absent));
      }
    }),
    { numRuns: 100 },
  );
});
