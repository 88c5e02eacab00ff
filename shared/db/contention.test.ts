import { ApiError } from '../http/errors.ts';
import { Contention, StaleRead, withPatience } from './contention.ts';

test.each([new StaleRead(), new Contention('busy')])('%s is tried again until it works', async (error) => {
  let tries = 0;
  const result = await withPatience(async () => {
    tries += 1;
    if (tries < 4) return Promise.reject(error);
    return Promise.resolve('done');
  });
  expect([result, tries]).toEqual(['done', 4]);
});

test('any other error is final', async () => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return Promise.reject(new ApiError('notFound', 'x'));
  };
  await expect(withPatience(attempt)).rejects.toMatchObject({ kind: 'notFound' });
  expect(tries).toBe(1);
});

test('when the time is up: unavailable, to be tried again later', async () => {
  const error = await withPatience(() => Promise.reject(new Contention('busy')), 30).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ kind: 'unavailable', httpStatus: 503, headers: { 'Retry-After': '1' } });
});
