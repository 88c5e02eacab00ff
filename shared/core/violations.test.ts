import * as z from 'zod/mini';
import { violations } from './violations.ts';

const schema = z.strictObject({
  name: z.string(),
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65535))),
  kind: z.optional(z.enum(['a', 'b'])),
  tags: z.optional(z.array(z.string()).check(z.maxLength(2))),
  labels: z.optional(z.record(z.string().check(z.regex(/^[a-z]+$/)), z.string())),
  when: z.optional(z.iso.datetime()),
});

const of = (input: unknown, options = {}) => violations(z.safeParse(schema, input).error!.issues, input, options);

test.each([
  [{}, 'name', 'required', 'Required.'],
  [{ name: 5 }, 'name', 'invalid_type', 'Must be a string.'],
  [{ name: null }, 'name', 'invalid_type', 'Must be a string.'],
  [{ name: 'x', port: 0 }, 'port', 'out_of_range', 'Must be at least 1.'],
  [{ name: 'x', port: 65536 }, 'port', 'out_of_range', 'Must be at most 65535.'],
  [{ name: 'x', port: 1.5 }, 'port', 'invalid_type', 'Must be a whole number.'],
  [{ name: 'x', port: Infinity }, 'port', 'invalid_type', 'Must be a number.'],
  [{ name: 'x', kind: 'c' }, 'kind', 'invalid_value', 'Must be one of: a, b.'],
  [{ name: 'x', tags: ['a', 5] }, 'tags.1', 'invalid_type', 'Must be a string.'],
  [{ name: 'x', tags: ['a', 'b', 'c'] }, 'tags', 'out_of_range', 'Must have at most 2 entries.'],
  [{ name: 'x', labels: { B: 'x' } }, 'labels.B', 'invalid_format', 'Does not have the accepted form.'],
  [{ name: 'x', when: 'now' }, 'when', 'invalid_format', 'Must be a time such as 2026-03-02T09:30:00Z (RFC 3339).'],
  [{ name: 'x', other: 1 }, 'other', 'unknown_field', 'Unknown field.'],
  [[], '', 'invalid_type', 'Must be an object.'],
])('%j: %s is %s', (input, field, reason, message) => {
  expect(of(input)).toEqual([{ field, reason, message }]);
});

test('a refused field has its own reason at the top level only', () => {
  const refused = { password: { reason: 'credential', message: 'No.' } };
  expect(of({ name: 'x', password: 'hunter2' }, { refused })).toEqual([
    { field: 'password', reason: 'credential', message: 'No.' },
  ]);
});

test('a name of the prototype is an unknown field', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty'])
    expect(of({ name: 'x', [name]: 1 }, { refused: {} })).toMatchObject([{ field: name, reason: 'unknown_field' }]);
});

test('a value is never repeated, and an unknown name only in part', () => {
  const said = JSON.stringify(of({ name: { deep: 'hunter2' }, kind: 'hunter2', ['x'.repeat(5000)]: 'hunter2' }));
  expect(said).not.toContain('hunter2');
  expect(said.length).toBeLessThan(500);
});
