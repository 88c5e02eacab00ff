import * as z from 'zod/mini';
import { fieldTable, typeTable } from './field-tables.ts';
import { markdownTable } from './markdown.ts';
import { bodySchemas } from './schemas.ts';

const described = (description: string) => z.string().check(z.meta({ description }));

function petOf(kind: string, more: Record<string, z.ZodMiniType>, id: string) {
  const shape = { kind: z.literal(kind).check(z.meta({ description: 'Kind.' })), name: described('Name.') };
  return z.extend(z.strictObject(shape), more).register(z.globalRegistry, { id, description: `A ${kind}.` });
}
const bark = z.enum(['loud', 'soft']).check(z.meta({ description: 'How it barks.' }));
const lives = z.int().check(z.minimum(0), z.maximum(9), z.meta({ description: 'Lives left.' }));

const { bodies, replies, named } = bodySchemas(
  {
    add: z.discriminatedUnion('kind', [
      petOf('cat', { lives: z._default(lives, 9) }, 'test_add_cat'),
      petOf('dog', { bark }, 'test_add_dog'),
    ]),
    change: z.strictObject({ bark: z.optional(bark) }),
  },
  {
    pet: z.discriminatedUnion('kind', [
      petOf('cat', { lives, id: described('Id.') }, 'test_a_cat'),
      petOf('dog', { bark, id: described('Id.') }, 'test_a_dog'),
    ]),
  },
);

test('the table of types names what each type has of its own, bold when it is required', () => {
  const columns = [{ heading: 'Sound', cells: new Map([['cat', 'meow']]) }];
  expect(typeTable(bodies['add']!, named, columns).split('\n').slice(2)).toEqual([
    '| `cat` | A cat. | meow | `lives` |',
    '| `dog` | A dog. | - | **`bark`** |',
  ]);
});

test('the table of fields says what an add takes and what a change may touch, common fields first', () => {
  const table = fieldTable({ object: replies['pet']!, addition: bodies['add']!, change: bodies['change'] }, named);
  expect(table.split('\n').slice(2)).toEqual([
    '| `kind` | a type of the table above | required | - | Kind. |',
    '| `name` | string | required | - | Name. |',
    '| `id` | string | - | - | Id. |',
    '| `lives` | integer, 0 to 9 | default `9` | - | Lives left. |',
    '| `bark` | `loud`, `soft` | required | yes | How it barks. |',
  ]);
});

test('a cell never ends its column', () => {
  expect(markdownTable(['a'], [['x|y']])).toBe('| a |\n| --- |\n| x\\|y |');
});
