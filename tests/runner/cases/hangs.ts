/* For runner.long.test.ts: waits for what does not come. */
test('a reply that does not come', () => new Promise(() => undefined));
test('a test after it', () => undefined);
