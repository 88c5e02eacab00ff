import { reasonsOf, type Report, reportTime, saidBy, saysTheSame, toReport } from './stored-report.ts';

test.each([
  [{ status: 'running', listen_port: 42, version: '1.2' }, ['running', 42, '1.2']],
  [{ status: 'running' }, ['running', null, null]],
  [{ status: 'done', listen_port: 0, version: '' }, ['done', 0, '']],
] as const)('of %j a report says %j', (entry, said) => {
  expect(saidBy(entry)).toEqual(said);
});

const last: Report = {
  at: 7,
  agents: { a: ['running', 1, null] },
  reasons: { a: 'r' },
  connected: false,
  history: [1],
};

const { at: _at, history: _history, ...statement } = last;

test.each([
  ['the same', statement, last, true],
  ['the first report', statement, undefined, false],
  ['another time and history', statement, { ...last, at: 8, history: [2] }, true],
  ['another status', { ...statement, agents: { a: ['done', 1, null] } } as const, last, false],
  ['another reason', { ...statement, reasons: { a: 's' } }, last, false],
  ['no reasons', { agents: last.agents, connected: false } as const, last, false],
  ['connected again', { agents: last.agents, reasons: { a: 'r' } }, last, false],
])('whether a report says the same as the last one: %s', (_, contents, before, isSame) => {
  expect(saysTheSame(contents, before)).toBe(isSame);
});

test.each([
  ['the first report', undefined, {}, 5000],
  ['a later report', 4999, {}, 5000],
  ['one in the same millisecond', 5000, {}, 5001],
  ['one by a clock that is 999 ms behind', 5999, {}, 6000],
  ['one by a clock that was set back by 1 s', 6000, {}, 5000],
  ['one with a connection, whatever its silence', 1000, { connected: true, silent_seconds: 3 }, 5000],
  ['a connection lost now', 1000, { connected: false }, 5000],
  ['a connection that was silent for 3 s', 1000, { connected: false, silent_seconds: 3 }, 2000],
  ['one silent since before the last report', 3000, { connected: false, silent_seconds: 3 }, 3001],
  ['one silent since the last report', 2000, { connected: false, silent_seconds: 3 }, 2001],
  ['one silent, and a last report later than now', 5500, { connected: false, silent_seconds: 3 }, 5501],
  ['one silent, without a last report', undefined, { connected: false, silent_seconds: 3 }, 2000],
  ['one silent for longer than since 1970', undefined, { connected: false, silent_seconds: 9 }, 0],
] as const)('the time of %s', (_, lastAt, given, time) => {
  expect(reportTime(lastAt === undefined ? undefined : { at: lastAt, agents: {} }, given, new Date(5000))).toBe(time);
});

test('absent reasons are an absent attribute', () => {
  expect([reasonsOf([]), reasonsOf([['a', 'r']])]).toEqual([{}, { reasons: { a: 'r' } }]);
});

test.each<[string, unknown, Report | undefined]>([
  ['one that has not reported', {}, undefined],
  ['one without agents', { at: 0 }, { at: 0, agents: {} }],
  ['a whole one', last, last],
  ['one that is connected', { at: 1, connected: true }, { at: 1, agents: {} }],
  [
    'one with unknown values',
    { at: 1, reasons: { a: 7, b: 'r' }, agents: { a: ['new word', null, 'v'] } },
    { at: 1, reasons: { b: 'r' }, agents: { a: ['new word' as never, null, 'v'] } },
  ],
])('a stored report is read: %s', (_, value, report) => {
  expect(toReport(value)).toEqual(report);
});

test.each([
  ['no object', 7],
  ['a time that is no number', { at: '1' }],
  ['agents that are no object', { at: 1, agents: 'x' }],
  ['reasons that are no object', { at: 1, reasons: 'x' }],
  ['an agent that is no list', { at: 1, agents: { a: 'running' } }],
  ['a status that is no text', { at: 1, agents: { a: [7, null, null] } }],
  ['a port that is no integer', { at: 1, agents: { a: ['done', 1.5, null] } }],
  ['a port that is absent', { at: 1, agents: { a: ['done'] } }],
  ['a version that is no text', { at: 1, agents: { a: ['done', 1, 2] } }],
  ['a version that is absent', { at: 1, agents: { a: ['done', 1] } }],
])('a stored report with %s is an error', (_, value) => {
  expect(() => toReport(value)).toThrow(TypeError);
});

test.each<[string, unknown]>([
  ['no list', 'running'],
  ['a status that is no text', [1, null, null]],
  ['a port that is no integer', ['running', 1.5, null]],
  ['a version that is no text', ['running', 1, 2]],
])('a malformed agent report is not misread: %s', (_, said) => {
  expect(toReport({ at: 1, agents: { a: ['running', 1, '1.0'] } })).toEqual({
    at: 1,
    agents: { a: ['running', 1, '1.0'] },
  });
  expect(() => toReport({ at: 1, agents: { a: said } })).toThrow(TypeError);
});

test('a status of a newer version is shown, and its entry is skipped', () => {
  const agents = { a: ['sleeping', 1, '1.0', 'more'] };
  expect(toReport({ at: 1, agents })).toEqual({ at: 1, agents: { a: ['sleeping', 1, '1.0'] } });
});
