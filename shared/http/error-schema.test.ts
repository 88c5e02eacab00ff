import * as z from 'zod/mini';
import { errorSchema } from './error-schema.ts';
import { errorBody, errorKinds, type ErrorKind } from '../core/errors.ts';

test('the body of every error has exactly this schema', () => {
  const details = [{ field: 'a', reason: 'required', message: 'Required.' }];
  for (const kind of Object.keys(errorKinds) as ErrorKind[]) {
    const body = errorBody(kind, 'x', 'request', details);
    expect(z.parse(errorSchema, body)).toEqual(body);
  }
  const body = errorBody('notFound', 'x', 'request', details);
  for (const name of Object.keys(body)) {
    const { [name as 'code']: _, ...rest } = body;
    expect([name, z.safeParse(errorSchema, rest).success]).toEqual([name, false]);
  }
  expect(z.safeParse(errorSchema, { ...body, more: 1 }).success).toBe(false);
  expect(z.safeParse(errorSchema, { ...body, details: [{ ...details[0], more: 1 }] }).success).toBe(false);
});
