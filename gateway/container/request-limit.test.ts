import { type ManualClock, manualClock, turnOfTheLoop } from '../../tests/support/manual-clock.ts';
import { MAX_BURST, MAX_RATE, MAX_UNANSWERED, RequestLimit } from './request-limit.ts';

/** The most requests of both gateways of an installation in a second, as the API sees them. */
const BOTH = 150;

let clock: ManualClock;
let limit: RequestLimit;
beforeEach(() => {
  clock = manualClock();
  limit = new RequestLimit(clock);
});

/** A service that notes when requests arrive. While it stands still, they arrive at its end, and none gets a reply. */
class Service {
  readonly arrivals: { at: number; name: string }[] = [];
  #stalled: (() => void)[] | undefined;

  request(name = ''): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const arrive = () => {
      this.arrivals.push({ at: clock.now(), name });
      resolve(undefined);
    };
    if (this.#stalled === undefined) arrive();
    else this.#stalled.push(arrive);
    return promise;
  }

  stall(): void {
    this.#stalled ??= [];
  }

  resume(): void {
    const stalled = this.#stalled;
    this.#stalled = undefined;
    for (const arrive of stalled ?? []) arrive();
  }

  /** The most arrivals in any window of a second. */
  get most(): number {
    const times = this.arrivals.map(({ at }) => at);
    return Math.max(...times.map((begin) => times.filter((at) => at >= begin && at < begin + 1000).length));
  }
}

test('the API gets at most half of its limit from one gateway in any second, also after a standstill', async () => {
  const service = new Service();
  await clock.pass(5000);
  for (let count = 0; count < 400; count += 1) void limit.run(() => service.request());
  await clock.pass(900);
  service.stall();
  await clock.pass(3000);
  service.resume();
  await clock.pass(8000);
  expect(service.arrivals).toHaveLength(400);
  expect(service.most).toBeGreaterThan(MAX_RATE);
  expect(service.most).toBeLessThanOrEqual(BOTH / 2);
});

test('a request after a pause begins at once, and further ones at the rate in order', async () => {
  const service = new Service();
  const all = Array.from({ length: MAX_BURST + 3 }, (_, index) => String(index));
  for (const name of all) void limit.run(() => service.request(name));
  await turnOfTheLoop();
  expect(service.arrivals).toHaveLength(MAX_BURST);
  await clock.pass(3 * (1000 / MAX_RATE));
  expect(service.arrivals.map(({ name }) => name)).toEqual(all);
});

test('requests without a reply are limited, and a failed one makes room', async () => {
  const begun: (() => void)[] = [];
  const request = () => new Promise<void>((_, reject) => begun.push(() => reject(new Error('no reply'))));
  for (let count = 0; count <= MAX_UNANSWERED; count += 1) limit.run(request).catch(() => undefined);
  await clock.pass(2000);
  expect(begun).toHaveLength(MAX_UNANSWERED);
  begun[0]?.();
  await clock.pass(100);
  expect(begun).toHaveLength(MAX_UNANSWERED + 1);
});

test('background requests wait behind others, and get a quarter of the turns', async () => {
  const service = new Service();
  await clock.pass(1000);
  const begin = (name: string, isBackground: boolean) =>
    void limit.run(() => service.request(name), { isBackground }).catch(() => undefined);
  for (let count = 0; count < MAX_BURST; count += 1) begin('first', false);
  for (let count = 0; count < 40; count += 1) begin('background', true);
  for (let count = 0; count < 40; count += 1) begin('other', false);
  await clock.pass(800);
  const later = service.arrivals.slice(MAX_BURST).map(({ name }) => name);
  expect(later.slice(0, 6)).toEqual(['other', 'background', 'other', 'other', 'other', 'background']);
  const share = later.filter((name) => name === 'background').length / later.length;
  expect([share > 0.2, share < 0.3]).toEqual([true, true]);
});

test('background requests begin at once while no others wait', async () => {
  const service = new Service();
  for (let count = 0; count < 3; count += 1) void limit.run(() => service.request(), { isBackground: true });
  await turnOfTheLoop();
  expect(service.arrivals).toHaveLength(3);
});
