import * as z from 'zod/mini';
import { endpointWith, eventWith } from '../testing/event.ts';
import type { ApiReply } from './api-request.ts';
import type { HttpContract } from './http-contract.ts';
import { MAX_RESULT_BYTES } from './carry.ts';
import { digestTag } from './etag.ts';
import { PreparedJson } from './prepared-json.ts';
import { renderReply } from './render-reply.ts';

const versionedSchema = z.object({ name: z.string(), revision: z.int() });
const versioned = (method: HttpContract['method'] = 'GET') =>
  endpointWith({ method, etag: 'revision', reply: { status: 200, schema: versionedSchema } });

const render = (endpoint: HttpContract, reply: ApiReply<unknown> | undefined, headers: Record<string, string> = {}) =>
  renderReply(endpoint, eventWith({ headers }), reply);

test('a reply contains exactly the fields of its contract', () => {
  expect(render(endpointWith(), { body: { name: 'n', secret: 's' } })).toMatchObject({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'request', 'Cache-Control': 'no-store' },
    body: '{"name":"n"}',
  });
  expect(() => render(endpointWith(), { body: {} })).toThrow();
});

test('a reply without a body has no content type', () => {
  const empty = endpointWith({ reply: { status: 204 } });
  const { statusCode, headers, body } = render(empty, undefined);
  expect([statusCode, body, headers?.['Content-Type'], headers?.['X-Request-Id']]).toEqual([
    204,
    '',
    undefined,
    'request',
  ]);
});

test('Location contains the path of an added object', () => {
  expect(render(endpointWith(), { body: { name: 'n' }, location: '/v1/x' }).headers).toMatchObject({
    Location: '/v1/x',
  });
  expect(render(endpointWith(), { body: { name: 'n' } }).headers).not.toHaveProperty('Location');
});

test('a body that does not fit is replaced by the smaller one with its ETag', () => {
  const endpoint = endpointWith({ etag: 'digest' });
  const large = { name: 'x'.repeat(MAX_RESULT_BYTES) };
  const rendered = (smallerBody: () => unknown) => render(endpoint, { body: large, smallerBody });
  expect(rendered(() => ({ name: 'n' }))).toMatchObject({
    ...{ statusCode: 200, body: '{"name":"n"}', headers: { ETag: digestTag('{"name":"n"}') } },
  });
  for (const smaller of [undefined, large])
    expect(() => rendered(() => smaller)).toThrow(expect.objectContaining({ kind: 'bodyTooLarge' }));
  const unused = () => {
    throw new Error('computed');
  };
  expect(render(endpoint, { body: { name: 'n' }, smallerBody: unused }).statusCode).toBe(200);
  // Another error is not about the size.
  expect(() => render(endpoint, { body: {}, smallerBody: unused })).toThrow(
    expect.not.objectContaining({ message: 'computed' }),
  );
});

describe('the status', () => {
  const several = endpointWith({ reply: { status: [200, 201], schema: z.object({}) } });

  test('is the only one of the contract, or the one that the reply states', () => {
    expect(render(endpointWith({ reply: { status: 201, schema: z.object({}) } }), { body: {} }).statusCode).toBe(201);
    for (const status of [200, 201] as const) expect(render(several, { body: {}, status }).statusCode).toBe(status);
  });

  test('of another contract, or missing among several, is a defect', () => {
    expect(() => render(several, { body: {} })).toThrow('a reply without a status');
    expect(() => render(several, { body: {}, status: 202 })).toThrow('a reply without a status');
    expect(() => render(endpointWith(), { body: { name: 'n' }, status: 201 })).toThrow('a reply without a status');
  });
});

describe('If-None-Match', () => {
  const reply = { body: { name: 'n', revision: 3 } };

  test('of a GET with the present revision causes a 304 without a body', () => {
    for (const tag of ['"3"', 'W/"3"', '*', '"2", "3"']) {
      const { statusCode, headers, body } = render(versioned(), reply, { 'If-None-Match': tag });
      expect([statusCode, body, headers?.['ETag'], headers?.['Content-Type']]).toEqual([304, '', '"3"', undefined]);
    }
    expect(render(versioned(), reply, { 'If-None-Match': '"2"' })).toMatchObject({
      statusCode: 200,
      headers: { ETag: '"3"' },
    });
    expect(render(versioned(), reply)).toMatchObject({ statusCode: 200, headers: { ETag: '"3"' } });
  });

  test('of another method was a precondition, and the reply has a body', () => {
    expect(render(versioned('PUT'), reply, { 'If-None-Match': '"3"' }).statusCode).toBe(200);
  });

  test("with the reply's digest causes a 304", () => {
    const withDigest = endpointWith({ etag: 'digest' });
    const tag = digestTag('{"name":"n"}');
    expect(render(withDigest, { body: { name: 'n' } })).toMatchObject({ statusCode: 200, headers: { ETag: tag } });
    expect(render(withDigest, { body: { name: 'n' } }, { 'If-None-Match': tag }).statusCode).toBe(304);
    expect(render(withDigest, { body: { name: 'm' } }, { 'If-None-Match': tag }).statusCode).toBe(200);
  });
});

test('a reply of lines has one JSON value in each', () => {
  const lines = endpointWith({ reply: { status: 200, schema: z.array(z.object({ a: z.int() })), format: 'ndjson' } });
  expect(render(lines, { body: [{ a: 1 }, { a: 2, b: 3 }] })).toMatchObject({
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: '{"a":1}\n{"a":2}\n',
  });
});

test('a JSON text body is sent unchanged', () => {
  const { statusCode, body } = render(endpointWith(), { body: new PreparedJson('{"name":"n","more":1}') });
  expect([statusCode, body]).toEqual([200, '{"name":"n","more":1}']);
});

test('the revision in a JSON text body is its ETag', () => {
  const endpoint = endpointWith({ etag: 'revision' });
  const body = new PreparedJson('{"name":"n"}', 3);
  expect(render(endpoint, { body })).toMatchObject({ statusCode: 200, headers: { ETag: '"3"' } });
  expect(render(endpoint, { body }, { 'If-None-Match': '"3"' })).toMatchObject({ statusCode: 304, body: '' });
  expect(() => render(endpoint, { body: new PreparedJson('{}') })).toThrow('revision');
});

test('every reply of a deprecated endpoint says so', () => {
  const deprecated = { since: '2026-01-01', sunset: '2027-01-01', link: 'https://example.org/' };
  expect(render(endpointWith({ deprecated }), { body: { name: 'n' } }).headers).toMatchObject({
    Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  });
});

test('a reply that is too large for Lambda is compressed if the client accepts that', () => {
  const body = { name: 'x'.repeat(7_000_000) };
  expect(() => render(endpointWith(), { body })).toThrow('exceeds the maximum size');
  expect(render(endpointWith(), { body }, { 'Accept-Encoding': 'gzip' })).toMatchObject({ isBase64Encoded: true });
});
