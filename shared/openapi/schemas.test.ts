import * as z from 'zod/mini';
import { bodySchemas, convert } from './schemas.ts';

const cat = z
  .strictObject({ kind: z.literal('cat'), lives: z._default(z.int(), 9) })
  .register(z.globalRegistry, { id: 'test_cat', description: 'A cat.' });
const dog = z.strictObject({ kind: z.literal('dog') }).register(z.globalRegistry, { id: 'test_dog' });
const pet = z.discriminatedUnion('kind', [cat, dog]).register(z.globalRegistry, { id: 'test_Pet' });

test('a union by type is a oneOf whose discriminator maps every type to its named schema', () => {
  const { roots, named } = convert({ root: z.array(pet) }, 'request');
  expect(roots['root']).toEqual({ type: 'array', items: { $ref: '#/components/schemas/test_Pet' } });
  expect(named['test_Pet']).toEqual({
    title: 'test_Pet',
    oneOf: [{ $ref: '#/components/schemas/test_cat' }, { $ref: '#/components/schemas/test_dog' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { cat: '#/components/schemas/test_cat', dog: '#/components/schemas/test_dog' },
    },
  });
});

test('a schema with optional fields differs between request and reply', () => {
  const { bodies, replies, named } = bodySchemas({ add: cat, play: dog }, { add: pet });
  expect(bodies['add']).toEqual({ $ref: '#/components/schemas/test_cat_input' });
  expect(replies['add']).toEqual({ $ref: '#/components/schemas/test_Pet' });
  expect(named['test_cat_input']).toMatchObject({ required: ['kind'], properties: { lives: { default: 9 } } });
  expect(named['test_cat']).toMatchObject({ required: ['kind', 'lives'] });
  expect(named['test_cat']?.properties?.['lives']).toEqual({ type: 'integer' });
});

test('a schema that is the same both ways is written once', () => {
  const words = z.record(z.string(), z.string()).register(z.globalRegistry, { id: 'test_Words' });
  const { bodies, named } = bodySchemas({ add: z.strictObject({ words }) }, { add: z.strictObject({ words }) });
  expect(Object.keys(named)).toEqual(['test_Words']);
  expect(bodies['add']?.properties).toEqual({ words: { $ref: '#/components/schemas/test_Words' } });
});

test('requests are closed, replies are open for later versions', () => {
  const closed = z.strictObject({ name: z.string() });
  expect(convert({ closed }, 'request').roots['closed']).toMatchObject({ additionalProperties: false });
  expect(convert({ closed }, 'reply').roots['closed']).not.toHaveProperty('additionalProperties');
});

test("redundant keywords are omitted: patterns of formats, bounds of all integers, zod's keywords", () => {
  const shape = { at: z.iso.datetime(), count: z.int(), text: z.string().check(z.minLength(0)) };
  expect(convert({ root: z.strictObject(shape) }, 'reply').roots['root']?.properties).toEqual({
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer' },
    text: { type: 'string' },
  });
});

test('a nullable value is one schema of two types', () => {
  const level = z.enum(['low', 'high']).check(z.meta({ description: 'How much.' }));
  const { roots } = convert({ level: z.nullable(level), pet: z.nullable(dog) }, 'request');
  expect(roots['level']).toEqual({ type: ['string', 'null'], enum: ['low', 'high', null], description: 'How much.' });
  expect(roots['pet']).toEqual({ anyOf: [{ $ref: '#/components/schemas/test_dog' }, { type: 'null' }] });
});
