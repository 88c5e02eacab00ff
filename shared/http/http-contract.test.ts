import * as z from 'zod/mini';
import { endpointWith } from '../testing/event.ts';
import {
  bodyFormatOf,
  commonErrors,
  maxBodyBytesOf,
  methodsOf,
  replyFormatOf,
  successStatuses,
  takesBody,
} from './http-contract.ts';

const body = z.object({});
const schema = z.object({});

test('a contract has defaults', () => {
  const plain = endpointWith();
  expect([takesBody(plain), takesBody(endpointWith({ body }))]).toEqual([false, true]);
  expect([bodyFormatOf(plain), replyFormatOf(plain), maxBodyBytesOf(plain)]).toEqual(['json', 'json', 262_144]);
  expect(maxBodyBytesOf(endpointWith({ maxBodyBytes: 7 }))).toBe(7);
  expect(replyFormatOf(endpointWith({ reply: { status: 200, schema, format: 'ndjson' } }))).toBe('ndjson');
  expect([successStatuses(plain), successStatuses(endpointWith({ reply: { status: [200, 202], schema } }))]).toEqual([
    [200],
    [200, 202],
  ]);
  expect([methodsOf({ method: 'GET' }), methodsOf({ method: 'POST' })]).toEqual([['GET', 'HEAD'], ['POST']]);
});

test('the errors of an endpoint follow from its contract', () => {
  const always = ['invalidArgument', 'bodyTooLarge', 'resourceExhausted', 'internal', 'unavailable'];
  const more = (endpoint: ReturnType<typeof endpointWith>) =>
    commonErrors(endpoint).filter((kind) => !always.includes(kind));
  expect(commonErrors(endpointWith())).toEqual(expect.arrayContaining(always));
  expect(more(endpointWith({ role: 'none' }))).toEqual([]);
  expect(more(endpointWith())).toEqual(['unauthenticated', 'permissionDenied']);
  const of = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
    more(endpointWith({ role: 'none', method, etag: 'revision' }));
  expect([of('GET'), of('POST'), of('PUT'), of('DELETE')]).toEqual([
    [],
    [],
    ['revisionMismatch'],
    ['revisionMismatch'],
  ]);
  expect(more(endpointWith({ role: 'none', body, idempotent: true }))).toEqual([
    'unsupportedMediaType',
    'idempotencyKeyReused',
  ]);
});
