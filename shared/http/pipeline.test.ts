import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { isPending, manualClock } from '../../tests/support/manual-clock.ts';
import { ApiError } from '../core/errors.ts';
import { endpointWith, eventWith } from '../testing/event.ts';
import { type CallTable, createPipeline, type Middleware, type ServedCall } from './pipeline.ts';

/** A call that the path of a request names, in the wire format of a line: words in, words out. */
interface WordCall extends ServedCall {
  name: string;
}

const table = (
  work: (words: string[], dependencies: string) => Promise<string>,
): CallTable<WordCall, string[], string, string> => ({
  callOf: ({ path, httpMethod }) => ({
    contract: endpointWith({ method: httpMethod === 'POST' ? 'POST' : 'GET' }),
    name: path,
  }),
  codec: {
    parse: ({ name }, { body }) => {
      if (body === 'malformed') throw new ApiError('invalidArgument', 'malformed');
      return [name, ...(body ?? '').split(' ')];
    },
    render: ({ name }, { headers }, reply) => ({ statusCode: 200, body: `${name} ${headers['x-word']} ${reply}` }),
    renderError: ({ name }, _, { httpStatus, message }) => ({ statusCode: httpStatus, body: `${name} ${message}` }),
    isRoutine: (reply) => reply === 'routine',
  },
  handle: work,
  changesNothing: (words) => words.includes('dry'),
});

/** The headers of an error without headers of its own. */
const asText = { 'Content-Type': 'text/plain' };

const monotonic = manualClock();

/** What each middleware saw of a request. */
const seen: unknown[][] = [];
beforeEach(() => (seen.length = 0));

const witness = (name: string): Middleware<WordCall> => ({
  before: ({ event }) => void seen.push([name, 'before', event.call.name]),
  after: ({ event, response }) => void seen.push([name, 'after', event.isRoutine, response?.body]),
  onError: ({ error, response }) => void seen.push([name, 'error', error?.message, response?.statusCode]),
});

function call(
  work: Parameters<typeof table>[0],
  body: string | null = 'a b',
  middleware: readonly Middleware<WordCall>[] = [witness('outer'), witness('inner')],
) {
  const handler = createPipeline(
    table(work),
    middleware,
    () => 'dependencies',
    () => ({ monotonic }),
  );
  return handler(eventWith({ path: '/call', headers: { 'X-Word': 'w' }, body }), {} as Context);
}
const never = () => Promise.reject(new Error('not to be called'));

test('a request is parsed, handled and rendered in the wire format of its call', async () => {
  const reply = await call((words, dependencies) => Promise.resolve([...words, dependencies].join('+')));
  expect(reply).toEqual({ statusCode: 200, body: '/call w /call+a+b+dependencies' });
  expect(seen).toEqual([
    ['outer', 'before', '/call'],
    ['inner', 'before', '/call'],
    ['inner', 'after', false, reply.body],
    ['outer', 'after', false, reply.body],
  ]);
});

test('names of headers are in lower case for the codec', async () => {
  const handler = createPipeline(
    table(() => Promise.resolve('')),
    [],
    () => '',
  );
  const event = { ...eventWith({ path: '/call' }), headers: { 'X-WORD': 'Loud' } };
  expect((await handler(event, {} as Context)).body).toBe('/call Loud ');
});

test('an error is rendered in the wire format of its call, before the middleware sees it', async () => {
  expect(await call(never, 'malformed')).toEqual({ statusCode: 400, headers: asText, body: '/call malformed' });
  expect(seen.slice(2)).toEqual([
    ['inner', 'error', 'malformed', 400],
    ['outer', 'error', 'malformed', 400],
  ]);
});

test('middleware that refuses a request ends it: nothing is parsed or handled', async () => {
  const refusing = { before: () => Promise.reject(new ApiError('permissionDenied', 'no')) };
  expect(await call(never, 'malformed', [refusing])).toEqual({ statusCode: 403, headers: asText, body: '/call no' });
});

test('an unexpected error is a service fault without details', async () => {
  const reply = await call(() => Promise.reject(new Error('secret details')));
  expect(reply).toEqual({ statusCode: 500, headers: asText, body: '/call Internal server error.' });
});

test('a routine reply is marked for the log', async () => {
  await call(() => Promise.resolve('routine'));
  expect(seen.at(-1)).toEqual(['outer', 'after', true, '/call w routine']);
});

test('a handler has 22 s', async () => {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const reply = call(() => {
    begin();
    return new Promise(() => undefined);
  });
  await begun;
  monotonic.advance(21_999);
  expect(await isPending(reply)).toBe(true);
  monotonic.advance(1);
  expect(await reply).toMatchObject({ statusCode: 503 });
});

test.each([
  ['GET', 'a', 'Repeat the request later.'],
  ['POST', 'a', 'The change may have been made. Check before you repeat it.'],
  ['POST', 'dry', 'Repeat the request later.'],
])(
  'the error of a %s of %p after the deadline warns of a change only if one is possible',
  async (httpMethod, body, advice) => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const work = () => {
      begin();
      return new Promise<string>(() => undefined);
    };
    const handler = createPipeline(
      table(work),
      [],
      () => 'dependencies',
      () => ({ monotonic }),
    );
    const reply = handler({ ...eventWith({ path: '/call', body }), httpMethod }, {} as Context);
    await begun;
    monotonic.advance(22_000);
    expect(await reply).toMatchObject({ statusCode: 503, body: `/call The service is slow. ${advice}` });
  },
);

describe('the reply of an error', () => {
  const replyOf = async (rendered: APIGatewayProxyResult, others: Middleware<WordCall>[] = []) => {
    const { codec, ...calls } = table(() => Promise.reject(new ApiError('notFound', 'Not there.')));
    const renderError = () => rendered;
    const handler = createPipeline({ ...calls, codec: { ...codec, renderError } }, [witness('w'), ...others], () => '');
    return handler(eventWith(), {} as Context);
  };

  test('has the status, the headers and the body that the codec rendered', async () => {
    const headers = { 'Content-Type': 'application/x-words', 'Retry-After': '7' };
    expect(await replyOf({ statusCode: 418, headers, body: '{}' })).toEqual({ statusCode: 418, headers, body: '{}' });
  });

  test('stays binary', async () => {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const binary = { statusCode: 503, headers, body: 'AAEC', isBase64Encoded: true };
    expect(await replyOf(binary)).toEqual(binary);
  });

  test('is seen by the middleware together with the error itself', async () => {
    const errors: unknown[] = [];
    await replyOf({ statusCode: 500, body: 'b' }, [{ onError: ({ error }) => void errors.push(error) }]);
    expect(errors).toEqual([expect.any(ApiError)]);
    expect(errors).toEqual([expect.objectContaining({ kind: 'notFound', message: 'Not there.' })]);
    expect(seen.at(-1)).toEqual(['w', 'error', 'Not there.', 500]);
  });
});
