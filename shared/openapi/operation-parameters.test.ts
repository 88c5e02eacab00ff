import * as z from 'zod/mini';
import { endpointWith } from '../testing/event.ts';
import type { HttpContract } from '../http/http-contract.ts';
import { parameters, parametersOf } from './operation-parameters.ts';
import type { Parameter } from './specification.ts';

const described = z.string().check(z.meta({ description: 'What it is.' }));
const names = (endpoint: HttpContract) =>
  parametersOf(endpoint, undefined).map((parameter) =>
    '$ref' in parameter ? parameter.$ref.replace('#/components/parameters/', '') : parameter.name,
  );

test('path parameters are required with the example, query parameters as in the contract without', () => {
  const endpoint = endpointWith({
    params: z.strictObject({ id: described }),
    query: z.strictObject({ must: described, may: z.optional(described) }),
  });
  expect(parametersOf(endpoint, { params: { id: '7' } } as never)).toMatchObject([
    { name: 'id', in: 'path', required: true, description: 'What it is.', example: '7' },
    { name: 'must', in: 'query', required: true },
    { name: 'may', in: 'query' },
  ]);
  expect(parametersOf(endpoint, undefined)[0]).not.toHaveProperty('example');
  expect(parametersOf(endpoint, undefined)[2]).not.toHaveProperty('required');
});

test('a parameter without a description is an error', () => {
  const endpoint = endpointWith({ query: z.strictObject({ a: z.string() }) });
  expect(() => parametersOf(endpoint, undefined)).toThrow('test a has no description');
});

test.each<[HttpContract['method'], Partial<HttpContract>, string[]]>([
  ['GET', {}, []],
  ['GET', { etag: 'revision' }, ['If-None-Match']],
  ['GET', { etag: 'digest' }, ['If-None-Match']],
  ['PUT', { etag: 'revision' }, ['If-Match', 'If-None-Match_before_write']],
  ['PATCH', { etag: 'revision' }, ['If-Match']],
  ['DELETE', { etag: 'revision' }, ['If-Match']],
  ['POST', { etag: 'revision', idempotent: true }, ['Idempotency-Key']],
])('the headers of a %s with %j', (method, more, expected) => {
  expect(names(endpointWith({ method, ...more }))).toEqual(expected);
});

test('no header is required, and an Idempotency-Key has 1 to 255 characters', () => {
  expect((Object.values(parameters) as Parameter[]).map(({ required, in: place }) => [required, place])).toEqual(
    Array(4).fill([undefined, 'header']),
  );
  expect(parameters['Idempotency-Key'].schema).toMatchObject({ minLength: 1, maxLength: 255 });
});
