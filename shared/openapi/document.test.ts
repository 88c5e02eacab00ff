import * as z from 'zod/mini';
import { emptyRequest, type HttpContract } from '../http/http-contract.ts';
import { errorKinds } from '../core/errors.ts';
import { type Facts, openApiDocument } from './document.ts';

const described = (description: string) => z.string().check(z.meta({ description }));

const book = z.strictObject({ title: described('Title.'), revision: z.int() });
const pages = z.pipe(z.transform(Number), z.int().check(z.meta({ description: 'Pages.' })));
const base = {
  ...emptyRequest,
  tag: 'Books',
} as const;
const item = {
  ...base,
  path: '/v1/books/{book_id}',
  params: z.strictObject({ book_id: described('The book.') }),
} as const;

const addBook: HttpContract = {
  ...base,
  id: 'addBook',
  method: 'POST',
  path: '/v1/books',
  summary: 'Add a book',
  role: 'Editor',
  body: z.strictObject({ title: described('Title.') }),
  reply: { status: 201, schema: book },
  etag: 'revision',
  errors: ['failedPrecondition', 'alreadyExists'],
};
const getBook: HttpContract = {
  ...item,
  id: 'getBook',
  method: 'GET',
  summary: 'Get a book',
  role: 'Viewer',
  query: z.strictObject({ pages: z._default(pages, 10), language: described('Language.') }),
  reply: { status: 200, schema: book },
  etag: 'revision',
  errors: ['notFound'],
};
const removeBook: HttpContract = {
  ...item,
  id: 'removeBook',
  method: 'DELETE',
  summary: 'Remove a book',
  description: 'For good.',
  role: 'Admin',
  reply: { status: 204 },
  etag: 'revision',
  errors: [],
};
const isOpen: HttpContract = {
  ...base,
  id: 'isOpen',
  tag: 'House',
  method: 'GET',
  path: '/v1/open',
  summary: 'Tell whether the library is open',
  role: 'none',
  reply: { status: 200, schema: z.strictObject({}) },
  errors: [],
};
const logIn: HttpContract = {
  ...base,
  id: 'logIn',
  tag: 'House',
  method: 'POST',
  path: '/v1/log-in',
  summary: 'Log in',
  role: 'Viewer',
  reply: { status: 201, schema: z.strictObject({}) },
  errors: [],
};

const endpoints: readonly HttpContract[] = [addBook, getBook, removeBook, isOpen, logIn];

const facts: Facts = {
  endpoints,
  admissionOf: ({ id, role }) => ({
    words: `For a ${role}.`,
    extensions: id === 'getBook' ? { 'x-guests': true } : {},
    ...(role === 'none' ? { security: [] } : {}),
  }),
  info: { title: 'Library', version: '1', description: '', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: '/', description: 'Here.' }],
  tags: [
    { name: 'House', description: 'The house.' },
    { name: 'Books', description: 'The books.' },
  ],
  credentials: { bearer: 'A key.', basic: 'A user.' },
  examples: {
    addBook: { one: { summary: 'One', body: { title: 'Emma' }, reply: { title: 'Emma', revision: 1 } } },
    getBook: { one: { summary: 'One', params: { book_id: 'b1' }, reply: { title: 'Emma', revision: 1 } } },
  },
  errorExamples: Object.fromEntries(Object.keys(errorKinds).map((kind) => [kind, { message: `It is ${kind}.` }])),
};

const { paths, components, security } = openApiDocument(facts);
const addition = paths['/v1/books']!['post']!;
const get = paths['/v1/books/{book_id}']!['get']!;
const removal = paths['/v1/books/{book_id}']!['delete']!;

test('operations are ordered by tag, then add before list and get before change, in any input order', () => {
  const forwards = openApiDocument(facts);
  const backwards = openApiDocument({ ...facts, endpoints: endpoints.toReversed() });
  expect(JSON.stringify(backwards)).toBe(JSON.stringify(forwards));
  expect(Object.keys(paths)).toEqual(['/v1/log-in', '/v1/open', '/v1/books', '/v1/books/{book_id}']);
  expect(Object.keys(paths['/v1/books/{book_id}']!)).toEqual(['get', 'delete']);
});

test('an operation contains who may call it: in words, for machines, and as security', () => {
  expect(security).toEqual([{ Bearer: [] }, { Basic: [] }]);
  expect(removal).toMatchObject({ description: 'For good.\n\nFor a Admin.', 'x-role': 'Admin' });
  expect(removal).not.toHaveProperty('security');
  expect(get).toMatchObject({ description: 'For a Viewer.', 'x-role': 'Viewer', 'x-guests': true });
  expect(removal).not.toHaveProperty('x-guests');
  expect(paths['/v1/open']!['get']).toMatchObject({ 'x-role': 'none', security: [] });
});

test('a query parameter has a description, and is required only without a default', () => {
  const [path, number, language] = get.parameters!;
  expect(path).toMatchObject({ name: 'book_id', in: 'path', required: true, description: 'The book.', example: 'b1' });
  expect(number).toEqual({
    name: 'pages',
    in: 'query',
    description: 'Pages.',
    schema: { type: 'integer', default: 10 },
  });
  expect(language).toMatchObject({ name: 'language', required: true });
});

test('objects with revisions have If-None-Match, If-Match and an ETag, and an add a Location', () => {
  expect(get.parameters).toContainEqual({ $ref: '#/components/parameters/If-None-Match' });
  expect(removal.parameters).toContainEqual({ $ref: '#/components/parameters/If-Match' });
  expect(addition).not.toHaveProperty('parameters');
  expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '304']));
  expect(addition.responses['201']).toMatchObject({
    headers: { ETag: { $ref: '#/components/headers/ETag' }, Location: { $ref: '#/components/headers/Location' } },
  });
  expect(removal.responses['204']).toEqual({ description: 'Done. The reply has no body.' });
});

test('every declared or implied error is a reply, combined by HTTP status', () => {
  expect(Object.keys(addition.responses)).toEqual(
    expect.arrayContaining(['400', '401', '403', '409', '413', '415', '429', '500', '503']),
  );
  expect(addition.responses['400']).toEqual({ $ref: '#/components/responses/invalidArgument_or_failedPrecondition' });
  const { content, description } = components.responses['invalidArgument_or_failedPrecondition']!;
  expect(description).toContain(errorKinds.failedPrecondition.meaning);
  expect(content!['application/json']).toMatchObject({
    schema: { $ref: '#/components/schemas/Error' },
    examples: {
      invalidArgument: { value: { code: 3, status: 'INVALID_ARGUMENT', message: 'It is invalidArgument.' } },
      failedPrecondition: { value: { code: 9, status: 'FAILED_PRECONDITION' } },
    },
  });
  expect(components.responses['unauthenticated']!.headers).toHaveProperty('WWW-Authenticate.example');
  expect(Object.keys(paths['/v1/open']!['get']!.responses)).not.toContain('401');
});

test('the examples of an endpoint are at its request and reply', () => {
  expect(addition.requestBody!.content['application/json']!.examples).toEqual({
    one: { summary: 'One', value: { title: 'Emma' } },
  });
  expect(addition.responses['201']).toMatchObject({
    content: { 'application/json': { examples: { one: { summary: 'One', value: { title: 'Emma', revision: 1 } } } } },
  });
});

describe('a deprecated operation', () => {
  const deprecated = { since: '2027-03-01', sunset: '2028-03-01', link: 'https://docs.example/move' };
  const documentOf = (more: Partial<HttpContract>) =>
    openApiDocument({ ...facts, endpoints: [{ ...getBook, ...more }] });

  test('is marked for machines and for people, with the headers that announce it at every success', () => {
    const operation = documentOf({ deprecated }).paths['/v1/books/{book_id}']!['get']!;
    expect(operation).toMatchObject({ deprecated: true, 'x-sunset': '2028-03-01' });
    expect(operation.description).toMatch(
      /^\*\*Deprecated\*\* since 2027-03-01; .*2028-03-01.*<https:\/\/docs.example\/move>/,
    );
    for (const status of ['200', '304'])
      expect(operation.responses[status]).toMatchObject({
        headers: {
          Deprecation: { example: '@1803859200' },
          Sunset: { example: 'Wed, 01 Mar 2028 00:00:00 GMT' },
          Link: { example: expect.stringContaining('rel="deprecation"') },
          ETag: { $ref: '#/components/headers/ETag' },
        },
      });
  });

  test('is refused with a sunset that is too near', () => {
    expect(() => documentOf({ deprecated: { ...deprecated, sunset: '2028-02-29' } })).toThrow('getBook');
  });

  test('is the only marked one', () => {
    expect(JSON.stringify(documentOf({}))).not.toMatch(/deprecat|sunset/i);
  });
});

test('a parameter without a description, and a tag without an explanation, are refused', () => {
  const query = z.strictObject({ shelf: z.optional(z.string()) });
  expect(() => openApiDocument({ ...facts, endpoints: [{ ...getBook, query }] })).toThrow('getBook shelf');
  expect(() => openApiDocument({ ...facts, endpoints: [{ ...getBook, tag: 'Films' }] })).toThrow('Films');
});
