/* For runner.long.test.ts: fails the first time only. */
import { existsSync, writeFileSync } from 'node:fs';

test('a race', () => {
  const file = process.env['RACE_FILE'] ?? '';
  const isFirst = !existsSync(file);
  writeFileSync(file, '');
  expect(isFirst).toBe(false);
});
