import { MEDIA_TYPE, opampReplyOf } from './forward.ts';

const replyOf = (headers: Record<string, string>, body = '', status = 200) =>
  opampReplyOf(status, (name) => headers[name], Buffer.from(body));

test('a protocol message is forwarded unchanged, with the time of the next report', () => {
  expect(replyOf({ 'Content-Type': MEDIA_TYPE, 'Report-After': '240' }, 'bytes')).toEqual({
    status: 200,
    message: Buffer.from('bytes'),
    words: '',
    reportAfterSeconds: 240,
    retryAfterSeconds: undefined,
  });
});

test.each([
  ['the words of the service', '{"message":"Try again."}', 'Try again.'],
  ['JSON without a message', '{"message":5}', 'The inventory replied with 503.'],
  ['JSON that is no object', 'null', 'The inventory replied with 503.'],
  ['a page of a proxy', '<html>', 'The inventory replied with 503.'],
  ['nothing', '', 'The inventory replied with 503.'],
])('%s become words in place of a reply that is no message', (_, body, words) => {
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '20' };
  expect(replyOf(headers, body, 503)).toMatchObject({ message: undefined, words, retryAfterSeconds: 20 });
});

test.each(['', '-1', '1.5', '1234567', 'Wed, 21 Oct 2026 07:28:00 GMT'])('%p is no time to wait', (text) =>
  expect(replyOf({ 'Retry-After': text }, '', 503).retryAfterSeconds).toBeUndefined(),
);
