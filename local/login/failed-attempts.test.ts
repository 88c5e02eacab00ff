import { FailedAttempts, FREE_FAILURES, MAX_DELAY_SECONDS } from './failed-attempts.ts';

let now: number;
let failed: FailedAttempts;
beforeEach(() => {
  now = 0;
  failed = new FailedAttempts(() => now);
});

function fail(address: string, times = FREE_FAILURES) {
  for (let index = 0; index < times; index += 1) failed.add(address);
}

test('an unknown address does not wait, nor one with few failures', () => {
  fail('192.0.2.1', FREE_FAILURES - 1);
  expect([failed.secondsToWait('192.0.2.1'), failed.secondsToWait('192.0.2.2')]).toEqual([0, 0]);
});

test('the delay begins at 1 s with the fifth failure and doubles up to 30 s', () => {
  fail('192.0.2.1', FREE_FAILURES - 1);
  const waits = Array.from({ length: 8 }, () => {
    failed.add('192.0.2.1');
    return failed.secondsToWait('192.0.2.1');
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  expect(MAX_DELAY_SECONDS).toBe(30);
});

test('the remaining delay is in whole seconds, rounded up, and ends exactly', () => {
  fail('192.0.2.1', FREE_FAILURES + 1);
  const rest = (at: number) => {
    now = at;
    return failed.secondsToWait('192.0.2.1');
  };
  expect([0, 1, 999, 1000, 1001, 1999, 2000, 60_000].map(rest)).toEqual([2, 2, 2, 1, 1, 1, 0, 0]);
});

test('failures are forgotten exactly 15 minutes after the last one', () => {
  fail('192.0.2.1');
  now = 15 * 60_000;
  failed.add('192.0.2.1');
  expect(failed.secondsToWait('192.0.2.1')).toBe(2);
  now += 15 * 60_000 + 1;
  failed.add('192.0.2.1');
  expect(failed.secondsToWait('192.0.2.1')).toBe(0);
});

test("a success forgets only its own address's failures", () => {
  fail('192.0.2.1');
  fail('192.0.2.2');
  failed.forget('192.0.2.1');
  expect([failed.secondsToWait('192.0.2.1'), failed.secondsToWait('192.0.2.2')]).toEqual([0, 1]);
});

test.each([
  ['one IPv6 /64 network', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1'],
  ['one IPv6 /64 network, shortened within it', '2001:db8::1', '2001:db8:0:0:5::', '2001:db8:0:1::1'],
  ['an IPv4 address and its form in IPv6', '192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ['this host', '127.0.0.1', '127.255.0.9', '128.0.0.1'],
  ['this host in IPv6', '127.0.0.1', '::1', '::2'],
  ['this host as an IPv4 address in IPv6', '::1', '::ffff:127.8.0.1', '::ffff:192.0.2.1'],
  ['an address and the same with a zone', 'fe80::1%eth0', 'fe80::2', 'fe81::1'],
])('%s is one source', (_name, address, same, other) => {
  fail(address);
  expect([failed.secondsToWait(same), failed.secondsToWait(other)]).toEqual([1, 0]);
});

test('10,000 addresses are stored; the one with the oldest failure is removed first', () => {
  fail('192.0.2.1');
  fail('192.0.2.2');
  for (let index = 0; index < 9998; index += 1) failed.add(`10.${index >> 8}.${index & 255}.1`);
  expect([failed.secondsToWait('192.0.2.1'), failed.secondsToWait('192.0.2.2')]).toEqual([1, 1]);
  failed.add('192.0.2.1'); // now that of 192.0.2.2 is the oldest
  failed.add('203.0.113.1');
  expect([failed.secondsToWait('192.0.2.1'), failed.secondsToWait('192.0.2.2')]).toEqual([2, 0]);
});
