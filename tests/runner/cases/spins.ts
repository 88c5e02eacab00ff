/* For runner.long.test.ts: works without an end. */
test('a loop without an end', () => {
  for (;;);
});
