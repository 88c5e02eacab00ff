/* For runner.long.test.ts: always fails. */
test('a defect', () => {
  expect(1).toBe(2);
});
