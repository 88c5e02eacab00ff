import * as z from 'zod/mini';
import { endpointWith, eventWith } from '../testing/event.ts';
import { MAX_BODY_BYTES, type HttpContract } from './http-contract.ts';
import type { ApiError } from '../core/errors.ts';
import { jsonTextOf, parseRequest } from './parse-request.ts';

const json = { 'Content-Type': 'application/json' };
const endpoint = (more: Partial<HttpContract> = {}) =>
  endpointWith({ method: 'POST', body: z.strictObject({ name: z.string() }), ...more });

/** The kind and the reasons of the error. */
function refusal(attempt: () => unknown): unknown[] {
  try {
    attempt();
  } catch (error) {
    const { kind, details } = error as ApiError;
    return [kind, ...details.map(({ field, reason }) => `${field} ${reason}`)];
  }
  return ['none'];
}

const requestWith = (body: unknown, { headers = {}, ...sent }: Parameters<typeof eventWith>[0] = {}) =>
  eventWith({ ...sent, headers: { ...json, ...headers }, body: JSON.stringify(body) });

describe('the JSON text of a body', () => {
  const textIn = (body: string | Buffer, headers: Record<string, string> = json, of = endpoint()) => {
    const isBase64Encoded = Buffer.isBuffer(body);
    const event = eventWith({ headers, body: isBase64Encoded ? body.toString('base64') : body, isBase64Encoded });
    return jsonTextOf(of, event);
  };
  const ofBytes = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

  test('has at most 256 KiB, or the maximum of its endpoint', () => {
    expect(textIn(ofBytes(MAX_BODY_BYTES))).toHaveLength(256 * 1024);
    expect(refusal(() => textIn(ofBytes(MAX_BODY_BYTES + 1)))).toEqual(['bodyTooLarge']);
    expect(textIn(Buffer.from(ofBytes(MAX_BODY_BYTES)))).toHaveLength(256 * 1024);
    expect(refusal(() => textIn(Buffer.from(ofBytes(MAX_BODY_BYTES + 1))))).toEqual(['bodyTooLarge']);
    const small = endpoint({ maxBodyBytes: 20 });
    expect(textIn(ofBytes(20), json, small)).toHaveLength(20);
    expect(refusal(() => textIn(ofBytes(21), json, small))).toEqual(['bodyTooLarge']);
  });

  test('is required', () => {
    expect(refusal(() => textIn(''))).toEqual(['invalidArgument', ' required']);
  });

  test('is UTF-8, whether the gateway encoded it or not', () => {
    expect(textIn('{"name":"é"}')).toBe('{"name":"é"}');
    expect(textIn(Buffer.from('{"name":"é"}'))).toBe('{"name":"é"}');
    expect(refusal(() => textIn(Buffer.from([0x22, 0xff, 0x22])))).toEqual(['invalidArgument', ' malformed_json']);
  });

  test('may begin with one byte order mark, also of lines', () => {
    const mark = '\u{feff}';
    expect(textIn(`${mark}{"name":"a${mark}"}`)).toBe(`{"name":"a${mark}"}`);
    expect(textIn(Buffer.from(`${mark}{}`))).toBe('{}');
    expect(textIn(Buffer.from(`${mark}${mark}{}`))).toBe(`${mark}{}`);
    const lines = endpoint({ bodyFormat: 'ndjson' });
    const ndjson = { 'Content-Type': 'application/x-ndjson' };
    expect(textIn(Buffer.from(`${mark}1\n2`), ndjson, lines)).toBe('[1,2]');
    expect(refusal(() => textIn(`1\n${mark}2`, ndjson, lines))).toEqual(['invalidArgument', '1 malformed_json']);
  });

  test.each<[string, HttpContract['method'], string | undefined, boolean]>([
    ['application/json', 'POST', undefined, true],
    ['application/json; charset=utf-8', 'POST', 'identity', true],
    ['application/json; charset=UTF8', 'POST', undefined, true],
    ['application/json', 'POST', 'gzip', false],
    ['application/json; charset=latin1', 'POST', undefined, false],
    ['text/plain', 'POST', undefined, false],
    ['application/merge-patch+json', 'PATCH', undefined, true],
    ['application/merge-patch+json', 'POST', undefined, false],
  ])('declared as %s in a %s with the encoding %s: accepted %s', (type, method, encoding, isAccepted) => {
    const headers = { 'Content-Type': type, ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }) };
    expect(refusal(() => textIn('{}', headers, endpoint({ method })))).toEqual([
      isAccepted ? 'none' : 'unsupportedMediaType',
    ]);
  });

  test('of lines becomes one list', () => {
    const lines = endpoint({ bodyFormat: 'ndjson', body: z.array(z.unknown()) });
    const type = { 'Content-Type': 'application/x-ndjson' };
    expect(textIn('{"a":1}\n\n 2 \n', type, lines)).toBe('[{"a":1}, 2 ]');
    expect(refusal(() => textIn('1\n{\n\nx', type, lines))).toEqual([
      'invalidArgument',
      '1 malformed_json',
      '2 malformed_json',
    ]);
    expect(refusal(() => textIn('1', json, lines))).toEqual(['unsupportedMediaType']);
  });
});

describe('a parsed request', () => {
  const whole = endpoint({
    path: '/v1/things/{id}',
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ size: z.optional(z.string()) }),
  });
  const parse = (sent: Parameters<typeof eventWith>[0], body: unknown = { name: 'n' }, of = whole) =>
    parseRequest(of, requestWith(body, { path: '/v1/things/a%20b', ...sent }), body);

  test('consists of its parameters, query and body', () => {
    const { caller: _, ...parsed } = parse({ query: { size: ['5'] } });
    expect(parsed).toEqual({
      ...{ params: { id: 'a b' }, query: { size: '5' }, body: { name: 'n' } },
      invalidItems: new Map(),
      ...{ ifMatch: undefined, ifNoneMatch: undefined, idempotency: undefined },
      ...{ requestId: 'request', sourceIp: '192.0.2.7' },
    });
  });

  test('all its violations are reported at once', () => {
    expect(refusal(() => parse({ query: { size: ['5', '6'], x: ['1'] } }, { name: 1, y: 2 }))).toEqual([
      ...['invalidArgument', 'size duplicate', 'x unknown_field', 'name invalid_type', 'y unknown_field'],
    ]);
  });

  test('an unknown parameter is refused with the names of the known ones, once', () => {
    const message = (sent: Record<string, string[]>, of = whole) => {
      try {
        parse({ query: sent }, undefined, of);
      } catch (error) {
        return (error as ApiError).details.flatMap(({ reason, message: words }) =>
          reason === 'unknown_field' ? [words] : [],
        );
      }
      return [];
    };
    const two = endpoint({ query: z.strictObject({ size: z.optional(z.string()), after: z.optional(z.string()) }) });
    expect(message({ x: ['1'] }, two)).toEqual(['Unknown parameter. Known: after, size.']);
    expect(message({ x: ['1'], y: ['1'] })).toEqual(['Unknown parameter. Known: size.', 'Unknown field.']);
    expect(message({ x: ['1'] }, endpoint())).toEqual(['Unknown parameter. This operation has none.']);
  });

  test('omits only the invalid items of an itemwise list, and refuses all other violations', () => {
    const item = z.strictObject({ a: z.int() });
    const differ = z.check<{ a: number }[]>(({ value, issues }) => {
      for (const [index, { a }] of value.entries())
        if (value.findIndex((candidate) => candidate.a === a) < index)
          issues.push({ code: 'custom', input: value, path: [index, 'a'], message: 'Duplicate.' });
    });
    const of = endpoint({ itemwise: 'items', body: z.strictObject({ items: z.array(item).check(differ) }) });
    const parsed = (items: unknown, more = {}) => parseRequest(of, requestWith({ items, ...more }), { items, ...more });
    const { body, invalidItems } = parsed([{ a: 1 }, 7, { a: 1 }, { a: '2' }, { a: 3 }]);
    expect(body).toEqual({ items: [{ a: 1 }, { a: 3 }] });
    expect([...invalidItems].map(([index, wrong]) => [index, wrong.map(({ field }) => field)]).sort()).toEqual([
      [1, ['items.1']],
      [2, ['items.2.a']],
      [3, ['items.3.a']],
    ]);
    expect(parsed([]).invalidItems.size).toBe(0);
    expect(refusal(() => parsed([{ a: 1 }, 7], { b: 1 }))).toContain('b unknown_field');
    expect(refusal(() => parsed(7))).toEqual(['invalidArgument', 'items invalid_type']);
  });

  test('a query that is not UTF-8 is a violation', () => {
    expect(refusal(() => parse({ query: { size: ['\u{fffd}'] } }))).toEqual(['invalidArgument', 'size invalid_format']);
  });

  test('without a caller has none, and an Idempotency-Key belongs to the caller', () => {
    expect(refusal(() => parse({}).caller())).toEqual(['unauthenticated']);
    const idempotent = endpoint({ idempotent: true });
    const body = { name: 'n' };
    const event = requestWith(body, { headers: { 'Idempotency-Key': 'k' } });
    const caller = { kind: 'api_key' as const, keyId: 'caller', name: 'n', role: 'Editor' as const };
    expect(parseRequest(idempotent, { ...event, caller }, body)).toMatchObject({ idempotency: { callerId: 'caller' } });
    expect(refusal(() => parseRequest(idempotent, event, body))).toEqual(['unauthenticated']);
  });

  test('ignores a body without one in the contract', () => {
    expect(parseRequest(endpointWith(), { ...eventWith(), body: 'anything' }, 'anything').body).toBeUndefined();
  });
});
