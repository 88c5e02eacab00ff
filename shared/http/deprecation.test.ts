import * as z from 'zod/mini';
import { lambdaContext } from '../../local/gateway/lambda-context.ts';
import { proxyEvent } from '../../local/gateway/proxy-event.ts';
import { type Deprecation, deprecationFault, deprecationHeaders, MIN_MONTHS_TO_SUNSET } from './deprecation.ts';
import type { EndpointHandler } from './api-request.ts';
import { emptyRequest, type HttpContract } from './http-contract.ts';
import { ApiError } from '../core/errors.ts';
import { jsonCodec } from './json-codec.ts';
import { createPipeline } from './pipeline.ts';

const deprecated: Deprecation = {
  since: '2027-03-01',
  sunset: '2028-03-01',
  link: 'https://docs.example/move',
};

/** According to RFC 9745 and RFC 8594, computed by `date -u`. */
const announced = {
  Deprecation: '@1803859200',
  Sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
  Link: '<https://docs.example/move>; rel="deprecation"; type="text/html"',
};

test('the dates are a structured date and an HTTP date', () => {
  expect(deprecationHeaders(deprecated)).toEqual(announced);
});

describe('a deprecation can be published', () => {
  test(`from ${MIN_MONTHS_TO_SUNSET} months before its sunset, and not a day later`, () => {
    expect(MIN_MONTHS_TO_SUNSET).toBe(12);
    expect(deprecationFault(deprecated)).toBeUndefined();
    expect(deprecationFault({ ...deprecated, sunset: '2029-01-31' })).toBeUndefined();
    expect(deprecationFault({ ...deprecated, sunset: '2028-02-29' })).toContain('12 months');
    expect(deprecationFault({ ...deprecated, sunset: '2026-03-01' })).toContain('12 months');
  });

  test.each(['', 'soon', '2027-3-1', '2027-02-30', '2027-03-01T00:00:00Z'])('not with the date "%s"', (day) => {
    expect(deprecationFault({ ...deprecated, since: day })).toContain('do not have the form');
    expect(deprecationFault({ ...deprecated, sunset: day })).toContain('do not have the form');
  });

  test.each([
    '',
    'move.html',
    'http://docs.example/',
    'https://docs.example/>; rel="x"',
    'https://docs.example/\r\nX: 1',
  ])('not with the link %j', (link) => expect(deprecationFault({ ...deprecated, link })).toContain('link'));
});

describe('every reply of a deprecated endpoint announces it', () => {
  const base = {
    ...emptyRequest,
    id: 'getBook',
    tag: 'Books',
    method: 'GET',
    path: '/v1/books/{book_id}',
    summary: 'Get a book',
    role: 'none',
    params: z.strictObject({ book_id: z.string() }),
    errors: ['notFound'],
  } as const;
  const withRevision = {
    reply: { status: 200, schema: z.strictObject({ revision: z.int() }) },
    etag: 'revision',
  } as const;
  const guard = {
    before: ({ event }: { event: { call: { contract: HttpContract } } }) => {
      if (event.call.contract.role !== 'none') throw new ApiError('unauthenticated', 'No credentials.');
    },
  };
  const handlerOf = (contract: HttpContract, handle: EndpointHandler<undefined, HttpContract>) =>
    createPipeline({ callOf: () => ({ contract }), codec: jsonCodec(contract), handle }, [guard], () => undefined);
  const event = (headers: string[] = [], query = '') =>
    proxyEvent(
      { method: 'GET', url: `/v1/books/b${query}`, rawHeaders: headers, body: '', sourceIp: '' },
      { requestId: 'r', resource: base.path, params: { book_id: 'b' }, authorizer: undefined },
    );
  const context = lambdaContext('f', 'r', 1000);

  const get = handlerOf({ ...base, ...withRevision, deprecated }, () => Promise.resolve({ body: { revision: 1 } }));
  const fail = (error: Error) => handlerOf({ ...base, ...withRevision, deprecated }, () => Promise.reject(error));
  const remove = handlerOf({ ...base, deprecated, reply: { status: 204 } }, () => Promise.resolve(undefined));
  const guarded = handlerOf({ ...base, ...withRevision, deprecated, role: 'Admin' }, () =>
    Promise.resolve({ body: { revision: 1 } }),
  );

  test.each([
    [200, () => get(event(), context)],
    [204, () => remove(event(), context)],
    [304, () => get(event(['If-None-Match', '"1"']), context)],
    [400, () => get(event([], '?colour=red'), context)],
    [401, () => guarded(event(), context)],
    [404, () => fail(new ApiError('notFound', 'Gone.'))(event(), context)],
    [500, () => fail(new TypeError('a fault'))(event(), context)],
    [503, () => fail(new ApiError('unavailable', 'Busy.'))(event(), context)],
  ])('%d', async (status, call) => {
    const reply = await call();
    expect(reply.statusCode).toBe(status);
    expect(reply.headers).toMatchObject({ ...announced, 'Cache-Control': 'no-store' });
  });

  test('not of an endpoint that is not deprecated', async () => {
    const quiet = handlerOf({ ...base, ...withRevision }, () => Promise.resolve({ body: { revision: 1 } }));
    const { headers } = await quiet(event(), context);
    for (const name of Object.keys(announced)) expect(headers).not.toHaveProperty(name);
  });
});
