import {
  lookOfAll,
  countsText,
  type HealthFields,
  healthOf,
  healthRank,
  isDead,
  type StateCounts,
  sumsOf,
  totalOf,
  worstOf,
} from './health.ts';

const at = '2026-03-02T09:00:00.000Z';

test('a node is as its reports say', () => {
  expect(healthOf({ state: 'live', reported_at: at })).toMatchObject({ word: 'Live', reportedAt: at, isGood: true });
  expect(healthOf({ state: 'offline', reported_at: at })).toMatchObject({
    look: 'error',
    word: 'Offline',
    reason: 'No report',
    silentSince: at,
    isGood: false,
  });
  expect(healthOf({ state: 'never_seen' })).toMatchObject({ word: 'Never seen', reason: 'No report yet' });
  expect(healthOf({ state: 'live', removing: true })).toMatchObject({ word: 'Being removed', isGood: false });
  expect(healthOf({})).toBeUndefined();
});

test('an object under a forced removal is being removed, whatever its state', () => {
  for (const state of ['live', 'stale', 'offline', 'never_seen'] as const)
    expect(healthOf({ state, removing: true })).toMatchObject({ word: 'Being removed', isGood: false });
  expect(healthOf({ removing: true })?.word).toBe('Being removed');
});

test('a service is as its nodes are', () => {
  expect(healthOf({ state: 'stale', reported_at: at, node_ids: ['n'] })?.reason).toBe('No report from its node');
  expect(healthOf({ state: 'never_seen', node_ids: [] })?.reason).toBe('It runs on no node');
});

test.each([
  [{ offline: 2 }, true],
  [{ offline: 1, never_seen: 3 }, true],
  [{ offline: 4, stale: 1 }, false],
  [{ offline: 4, live: 1 }, false],
  [{ never_seen: 2 }, false],
  [{}, false],
])('a cluster with the members %j is dead: %s', (counts, expected) => expect(isDead(counts)).toBe(expected));

describe('an agent', () => {
  const exporter = { agent_type: 'mysqld_exporter', pmm_agent_id: 'p', disabled: false } as const;

  test.each([
    ['running', 'Running', true],
    ['starting', 'Starting', false],
    ['waiting', 'Waiting', false],
    ['done', 'Stopped', false],
    ['unknown', 'Unknown', false],
  ])('with the status %s is %s while its process reports', (status, word, isGood) => {
    expect(healthOf({ ...exporter, state: 'live', ...{ status } })).toMatchObject({ word, isGood });
  });

  test('is as silent as its process, whatever its last status was', () => {
    expect(healthOf({ ...exporter, state: 'offline', reported_at: at, ...{ status: 'running' } })).toMatchObject({
      word: 'Offline',
      reason: 'No report from its pmm_agent',
      isGood: false,
    });
  });

  test('waits for the reported reason', () => {
    const waiting = { ...exporter, state: 'live', ...{ status: 'waiting', status_reason: 'Needs a file.' } } as const;
    expect(healthOf(waiting)).toMatchObject({ word: 'Waiting', reason: 'Needs a file.', isGood: false });
  });

  test('that is disabled is not a failure', () => {
    const disabled = { ...exporter, disabled: true };
    for (const state of ['live', 'offline', 'never_seen'] as const)
      expect(healthOf({ ...disabled, state, ...{ status: 'done' } })).toEqual({
        look: 'stopped',
        word: 'Disabled',
        isGood: false,
      });
    expect(healthOf({ ...disabled, state: 'live', ...{ status: 'running' } })?.reason).toBe('Reported as running');
  });

  test('that the service never starts is not supported, with the reason', () => {
    const reason = 'This service runs no jobs.';
    const analytics = { ...exporter, state: 'live', status: 'not_supported', status_reason: reason } as const;
    expect(healthOf(analytics)).toMatchObject({ look: 'stopped', word: 'Not supported', reason, isGood: false });
  });

  test('without an agent process has a status of its own', () => {
    const external = { agent_type: 'external_exporter', disabled: false, ...{ status: 'running' } };
    expect(healthOf({ ...external, state: 'never_seen' })?.word).toBe('Running');
    expect(healthOf({ ...external, state: 'never_seen', ...{ status: 'unknown' } })?.word).toBe('Never seen');
  });

  test('that is an agent process is as its own reports say', () => {
    expect(healthOf({ agent_type: 'pmm_agent', disabled: false, state: 'live', reported_at: at })?.word).toBe('Live');
    expect(healthOf({ agent_type: 'pmm_agent', disabled: false, state: 'never_seen' })?.reason).toBe('No report yet');
  });
});

test.each<[StateCounts, ReturnType<typeof lookOfAll>]>([
  [{ offline: 1 }, 'error'],
  [{ offline: 1, stale: 4 }, 'error'],
  [{ offline: 4, live: 1 }, 'warning'],
  [{ offline: 4, live: 0 }, 'error'],
  [{ stale: 1, live: 9 }, 'warning'],
  [{ never_seen: 2 }, 'pending'],
  [{ live: 1 }, 'success'],
  [{}, undefined],
])('the health of a cluster with the members %j is %s', (counts, look) => expect(lookOfAll(counts)).toBe(look));

test('the members of several clusters are counted by state', () => {
  const sums = sumsOf([{ live: 2, offline: 1 }, { live: 1, never_seen: 0 }, {}]);
  expect(sums).toEqual({ live: 3, offline: 1 });
  expect(totalOf(sums)).toBe(4);
  expect(totalOf({})).toBe(0);
});

test('several states in words, and the worst of them', () => {
  expect(countsText({ offline: 1, live: 3, stale: 1 })).toBe('3 live, 1 stale, 1 offline');
  expect(worstOf({ live: 3, never_seen: 1 })).toBe('never_seen');
  expect(worstOf({ live: 3, stale: 1, offline: 0 })).toBe('stale');
  expect(worstOf({})).toBeUndefined();
});

test('objects sort from the worst to the best', () => {
  const exporter = (fields: object): HealthFields => ({
    ...{ agent_type: 'mysqld_exporter', pmm_agent_id: 'p', state: 'live' },
    ...fields,
  });
  const all: readonly HealthFields[] = [
    { state: 'offline', reported_at: at },
    { state: 'stale', reported_at: at },
    exporter({ status: 'starting' }),
    { state: 'never_seen' },
    exporter({ disabled: true }),
    { state: 'live', reported_at: at },
    // Without a state, as a list without them.
    {},
  ];
  expect(all.toReversed().sort((left, right) => healthRank(left) - healthRank(right))).toEqual(all);
  expect(healthRank(exporter({ status: 'waiting' }))).toBe(healthRank({ state: 'stale' }));
});
