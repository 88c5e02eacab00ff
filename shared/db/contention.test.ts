import { manualClock, turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import { ApiError } from '../core/errors.ts';
import { describeError } from '../core/log.ts';
import { Contention, OutcomeUnknown, StaleRead, retryOnContention } from './contention.ts';

const timed = { monotonic: manualClock(), backOff: turnOfTheLoop };

test.each([new StaleRead(), new Contention('busy')])('%s is tried again until it works', async (error) => {
  let tries = 0;
  const result = await retryOnContention(timed, async () => {
    tries += 1;
    if (tries < 4) return Promise.reject(error);
    return Promise.resolve('done');
  });
  expect([result, tries]).toEqual(['done', 4]);
});

test('an unknown outcome states whether the table is busy or silent, and keeps its cause', () => {
  const [busy, silent] = [new OutcomeUnknown('cause'), new OutcomeUnknown('cause', 'table_unanswered')];
  expect(busy).toMatchObject({ kind: 'unavailable', cause: 'cause', fault: undefined });
  expect(busy.message).toContain('The service is busy.');
  expect(silent).toMatchObject({ cause: 'cause', fault: 'table_unanswered' });
  expect(silent.message).toContain('The table does not answer. The change may have been made.');
  expect(new Contention('cause')).toMatchObject({ kind: 'unavailable', cause: 'cause' });
});

test('any other error is final', async () => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return Promise.reject(new ApiError('notFound', 'x'));
  };
  await expect(retryOnContention(timed, attempt)).rejects.toMatchObject({ kind: 'notFound' });
  expect(tries).toBe(1);
});

test("after the time by the table's clock the error is unavailable, to be tried again later", async () => {
  const monotonic = manualClock();
  const attempt = () => {
    monotonic.advance(4000);
    return Promise.reject(new Contention('busy'));
  };
  const error = await retryOnContention({ ...timed, monotonic }, attempt).catch((reason: unknown) => reason);
  // 8 s: the third attempt is the last one.
  expect(monotonic.now()).toBe(12_000);
  expect(error).toMatchObject({ kind: 'unavailable', httpStatus: 503, headers: { 'Retry-After': '1' } });
});

describe('a write that is refused repeatedly', () => {
  const refusedAs = (evidence: string, reason?: ApiError) => Object.assign(new StaleRead(reason), { evidence });

  test('for the same unchanged item ends with the reason, as a server fault', async () => {
    let tries = 0;
    const attempt = () => {
      tries += 1;
      return Promise.reject(refusedAs('the claim', new ApiError('alreadyExists', 'The key is taken.')));
    };
    const error = await retryOnContention(timed, attempt).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'internal', message: expect.stringContaining('The key is taken.') });
    expect(describeError(error)).toContain('the claim');
    expect(tries).toBe(8);
  });

  test.each([
    ['by an item that changes', (count: number) => refusedAs(`revision ${count}`)],
    ['in a way that nobody described', () => new StaleRead()],
    ['with contention in between', (count: number) => (count % 3 === 0 ? new Contention('busy') : refusedAs('same'))],
  ])('%s is repeated until it succeeds', async (_, errorAt) => {
    let tries = 0;
    const attempt = () => {
      tries += 1;
      return tries < 12 ? Promise.reject(errorAt(tries)) : Promise.resolve('done');
    };
    await expect(retryOnContention(timed, attempt)).resolves.toBe('done');
  });
});
