import { endpointWith, eventWith } from '../testing/event.ts';
import { preconditionsIn } from './preconditions.ts';

const versioned = endpointWith({ etag: 'revision' });
const withDigest = endpointWith({ etag: 'digest' });
const read = (headers: Record<string, string | string[]>, endpoint = versioned) =>
  preconditionsIn(endpoint, eventWith({ headers }));
const none = { ifMatch: undefined, ifNoneMatch: undefined, wrong: [] };

test('If-Match is compared strongly, If-None-Match weakly', () => {
  const headers = { 'If-Match': '"1", W/"2"', 'If-None-Match': '"3", W/"4"' };
  expect(read(headers)).toEqual({ ifMatch: [1], ifNoneMatch: [3, 4], wrong: [] });
  expect(read({ 'if-match': '*' })).toMatchObject({ ifMatch: '*', ifNoneMatch: undefined });
  expect(read({})).toEqual(none);
});

test.each(['3', '"3', '', '"3" "4"', '*, "3"'])('the value %j is a violation, and never ignored', (value) => {
  for (const field of ['If-Match', 'If-None-Match'])
    expect(read({ [field]: value }).wrong).toMatchObject([{ field, reason: 'invalid_format' }]);
});

test('a repeated header is a violation', () => {
  for (const field of ['If-Match', 'If-None-Match'])
    expect(read({ [field]: ['"1"', '"1"'] }).wrong).toMatchObject([{ field, reason: 'duplicate' }]);
});

test('an endpoint without revisions ignores them, and one with a digest checks If-None-Match', () => {
  const wrong = { 'If-Match': '3', 'If-None-Match': '3' };
  expect(read(wrong, endpointWith())).toEqual(none);
  expect(read(wrong, withDigest).wrong).toMatchObject([{ field: 'If-None-Match', reason: 'invalid_format' }]);
  expect(read({ 'If-None-Match': '"3"' }, withDigest)).toEqual(none);
});
