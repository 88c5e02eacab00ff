import { shapeOf } from '../../../tests/support/item-shapes.ts';
import { items, partitionsOfGroups } from './items.ts';

const filled = (text: string) => text.replaceAll(/<([^|>]*)[^>]*>/g, (_, name: string) => name);

test("each item's key has its own shape only", () => {
  for (const [kind, shape] of Object.entries(items))
    expect([kind, shapeOf({ pk: filled(shape.pk), sk: filled(shape.sk) })]).toEqual([kind, shape]);
});

test('a last part may contain separators or be empty, an earlier part is one text, and a choice is one of its texts', () => {
  expect(shapeOf({ pk: 'NODES#team#a#b', sk: 'name#1' })).toBe(items.labelEntry);
  expect(shapeOf({ pk: 'NODES#team#', sk: 'n' })).toBe(items.labelEntry);
  expect(shapeOf({ pk: 'SERVICES#cluster#c', sk: 'n' })).toBe(items.clusterEntry);
  expect(shapeOf({ pk: 'SERVICES#*', sk: 'n' })).toBe(items.overflowEntry);
  expect(shapeOf({ pk: 'SERVICE#x', sk: 'SERVICE#name' })).toBeUndefined();
  for (const pk of ['NODES#@', 'OTHER#1', 'NODE', 'KEYS', 'XKEY#1', ''])
    expect(shapeOf({ pk, sk: 'KEY' })).toBeUndefined();
});

test('a group contains each partition once, with an asterisk for each part', () => {
  expect(partitionsOfGroups('keys', 'limits')).toEqual([
    ...['KEY#*', 'KEY_ID#*', 'API_KEYS', 'ENROLMENT#*', 'ENROLMENT_TOKENS', 'RATE#*#*'],
  ]);
  expect(partitionsOfGroups('audit')).toEqual(['AUDIT#ACCESS', 'AUDIT#ANNOTATED', 'AUDIT#REFUSED']);
});
