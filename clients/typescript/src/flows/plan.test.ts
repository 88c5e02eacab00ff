import { createClient } from '../index.ts';
import { applyPlan } from './plan.ts';

const counts = (done: number) => ({ total: 9, done, failed: 0, skipped: 0 });
const late = () => Response.json({ status: 'UNAVAILABLE', code: 14, message: 'The service is slow.' }, { status: 503 });
const refused = () => Response.json({ status: 'FAILED_PRECONDITION', code: 9, message: 'Outdated.' }, { status: 412 });
const applied = (state: string, done: number) => () => Response.json({ state, progress: counts(done), items: [] });
const stored = (done: number) => () => Response.json({ state: 'applying', progress: counts(done) });

/** Applies a plan with these replies in turn. @returns the requests, the progress, and the status of the error. */
async function apply(...replies: (() => Response)[]) {
  const methods: string[] = [];
  const client = createClient({
    url: 'https://inventory.example',
    attempts: 1,
    fetch: (_, { method }) => {
      methods.push(method);
      return Promise.resolve(replies.shift()!());
    },
  });
  const shown: number[] = [];
  let http: number | undefined;
  try {
    for await (const { progress } of applyPlan(client, { plan_id: 'p' })) shown.push(progress.done);
  } catch (error) {
    ({ http } = error as { http: number });
  }
  return { methods: methods.join(' '), shown, http, left: replies.length };
}

test('a job that advances is continued although replies are late', async () => {
  const replies = [late, stored(2), applied('applying', 3), late, stored(5), late, stored(6), applied('done', 9)];
  expect(await apply(...replies)).toEqual({
    methods: 'POST GET POST POST GET POST GET POST',
    ...{ shown: [3, 9], http: undefined, left: 0 },
  });
});

test.each([
  ['the job does not advance', [applied('applying', 3), late, stored(3)], [3]],
  ['its progress cannot be read', [late, refused], []],
])('a late reply is an error if %s', async (_, replies, shown) => {
  expect(await apply(...replies)).toMatchObject({ shown, http: 503, left: 0 });
});

test('a refused request is an error at once', async () => {
  expect(await apply(refused, stored(5))).toMatchObject({ methods: 'POST', http: 412, left: 1 });
});

test('a plan without an id has nothing to apply', async () => {
  const client = createClient({
    url: 'https://inventory.example',
    fetch: () => Promise.reject(new Error('no request')),
  });
  expect(await applyPlan(client, {}).next()).toEqual({ done: true, value: undefined });
});
