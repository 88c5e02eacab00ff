import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fitLambdaLimit, MAX_RESULT_BYTES } from './carry.ts';

const result = (body: string) => ({ statusCode: 200, headers: { 'Content-Type': 'application/json' }, body });
const resultBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const LAMBDA_LIMIT = 6 * 1024 * 1024;

test("a reply within Lambda's limit is sent unchanged, whatever the client accepts", () => {
  for (const body of ['', '[]', `"${'x'.repeat(MAX_RESULT_BYTES - 10)}"`])
    expect(fitLambdaLimit(result(body), 'gzip')).toEqual(result(body));
});

test('a result may have 6 MB, without 16 KiB for its envelope and headers', () => {
  expect(MAX_RESULT_BYTES).toBe(6_291_456 - 16_384);
});

test('quotes count twice, so that a body may be too large only for them', () => {
  const body = JSON.stringify(Array.from({ length: 700_000 }, () => 'a\u00e9b'));
  expect(Buffer.byteLength(body)).toBeLessThan(LAMBDA_LIMIT);
  expect(resultBytes(result(body))).toBeGreaterThan(LAMBDA_LIMIT);
  expect(() => fitLambdaLimit(result(body), undefined)).toThrow('accept gzip');
});

test('characters of several bytes count as such, so that no large body seems short', () => {
  const character = '\u8a9e';
  for (const count of [MAX_RESULT_BYTES / 3 + 1, MAX_RESULT_BYTES / 2 - 1, MAX_RESULT_BYTES / 2 + 1]) {
    const body = character.repeat(count);
    expect(Buffer.byteLength(body)).toBeGreaterThan(MAX_RESULT_BYTES);
    expect(() => fitLambdaLimit(result(body), undefined)).toThrow(expect.objectContaining({ kind: 'bodyTooLarge' }));
  }
  const fitting = character.repeat(MAX_RESULT_BYTES / 3 - 1);
  expect(fitLambdaLimit(result(fitting), undefined)).toEqual(result(fitting));
});

test('the error contains the remedy, which is computed only for a larger body', () => {
  const larger = result('x'.repeat(LAMBDA_LIMIT));
  expect(() => fitLambdaLimit(larger, undefined, () => 'Ask for parts.')).toThrow(/size\. Ask for parts\.$/);
  expect(() =>
    fitLambdaLimit(result(randomBytes(LAMBDA_LIMIT).toString('hex')), 'gzip', () => 'Ask for parts.'),
  ).toThrow(/size\. Ask for parts\.$/);
  const remedyOf = () => {
    throw new Error('computed');
  };
  expect(fitLambdaLimit(result('[]'), undefined, remedyOf)).toEqual(result('[]'));
});

test('a larger body is compressed as a whole if the client accepts that', () => {
  const body = JSON.stringify(Array.from({ length: 900_000 }, (_, index) => `value ${index}`));
  const sent = fitLambdaLimit(result(body), 'br, GZIP;q=0.5');
  expect(sent).toMatchObject({
    isBase64Encoded: true,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
  });
  expect(resultBytes(sent)).toBeLessThan(LAMBDA_LIMIT);
  expect(gunzipSync(Buffer.from(sent.body, 'base64')).toString() === body).toBe(true);
});

test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.0'])(
  'with %j accepted, it is an error',
  (accepted) => {
    const body = 'x'.repeat(LAMBDA_LIMIT);
    expect(() => fitLambdaLimit(result(body), accepted)).toThrow(expect.objectContaining({ kind: 'bodyTooLarge' }));
  },
);

test('a reply that is too large even when compressed is an error', () => {
  const body = randomBytes(LAMBDA_LIMIT).toString('base64');
  expect(() => fitLambdaLimit(result(body), 'gzip')).toThrow(expect.objectContaining({ kind: 'bodyTooLarge' }));
});
