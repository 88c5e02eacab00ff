import * as z from 'zod/mini';
import { endpoints } from '../../api/endpoints.ts';
import { idList as idListOfBody, idSchema } from './common-fields.ts';
import { idList } from './list-query.ts';

const ID = '0b3c1f9a-77de-4c5e-9a0b-1234567890ab';
const UPPER = ID.toUpperCase();

test('UUIDs become lower case, other text is unchanged', () => {
  const read = (text: string) => z.parse(idSchema, text);
  expect([UPPER, ID, 'Node-1', 'DEADBEEF', `${UPPER.slice(0, -1)}G`].map(read)).toEqual([
    ...[ID, ID, 'Node-1', 'DEADBEEF', `${UPPER.slice(0, -1)}G`],
  ]);
});

test('duplicate ids are found whatever their case', () => {
  expect(z.parse(idList('Of a test.'), `${UPPER}, x,${ID}`)).toBe(`${ID}, x,${ID}`);
  expect(z.safeParse(idListOfBody(5, 'Of a test.'), [UPPER, ID]).error?.issues).toMatchObject([
    { message: 'Contains a duplicate id.' },
  ]);
});

test('every path parameter for a UUID accepts upper case', () => {
  const unlike = endpoints.flatMap(({ id, path, params }) =>
    [...path.matchAll(/\{([a-z_]+_id)\}/g)].flatMap(([, name = '']) => {
      const { properties } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
      const described = JSON.stringify(properties?.[name]);
      if (!described.includes('UUID')) return [];
      const parsed = z.safeParse(params, { [name]: UPPER, kind: 'node' });
      const { data } = parsed.success ? parsed : z.safeParse(params, { [name]: UPPER });
      return [{ id, read: (data as Record<string, unknown> | undefined)?.[name] }];
    }),
  );
  expect(unlike.length).toBeGreaterThan(15);
  expect(unlike.filter(({ read }) => read !== ID)).toEqual([]);
});
