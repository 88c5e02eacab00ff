import { longSuites } from './long-suites.ts';

test('the long suites are the long files, and those with two extents', async () => {
  const files = await longSuites();
  expect(files).toEqual(
    expect.arrayContaining(['tests/end-to-end/stop.long.test.ts', 'functions/store/lists/state-walk.test.ts']),
  );
});

test('tests with one extent, and those with a script of their own, are not in the long suites', async () => {
  const files = await longSuites();
  expect(files.filter((path) => /architecture|\/browser\/|\/deploy\//.test(path))).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});
