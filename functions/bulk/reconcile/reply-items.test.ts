import { MAX_REPLY_BYTES } from '../../../shared/core/reply-size.ts';
import { node } from '../../../tests/support/store.ts';
import { planOwner } from './plan-owner.ts';
import type { Step } from './plan/step.ts';
import { fitReply, type Item, toItemReply } from './reply-items.ts';

const step: Step = {
  ...{ action: 'add', kind: 'node', id: 'id', named: { node_name: 'n' }, changes: [], after: new Set() },
};

test('an item has the id and revision of an existing object, but not of an added one', () => {
  expect(toItemReply(step)).toEqual({ action: 'add', kind: 'node', node_name: 'n' });
  expect(toItemReply({ ...step, action: 'change', old: node({ revision: 4 }) })).toMatchObject({
    id: 'id',
    revision: 4,
  });
});

test('a reply contains as many items as fit, and the number of the rest', () => {
  const item = (bytes: number) =>
    ({ x: 'x'.repeat(bytes - JSON.stringify(JSON.stringify({ x: '' })).length) }) as unknown as Item;
  const half = MAX_REPLY_BYTES / 2;
  const both = fitReply([item(half), item(half)]);
  expect([both.items.length, both.items_left_out]).toEqual([2, undefined]);
  const more = fitReply([item(half), item(half + 1), item(20)]);
  expect([more.items.length, more.items_left_out]).toEqual([1, 2]);
  expect(fitReply([])).toEqual({ items: [] });
});

test('a plan belongs to its API key, or to its user in every session', () => {
  expect(planOwner({ kind: 'api_key', keyId: 'k', name: 'n' })).toBe('k');
  for (const kind of ['session', 'user'] as const) expect(planOwner({ kind, keyId: 'k', name: 'n' })).toBe('user n');
});
