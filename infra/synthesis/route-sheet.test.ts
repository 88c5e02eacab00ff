import { readFile } from 'node:fs/promises';
import { routeSheet, sheetTemplate } from './route-sheet.ts';

test('the route sheet states what is deployed: `npm run generate` writes it', async () => {
  expect(await readFile(new URL('route-sheet.txt', import.meta.url), 'utf8')).toBe(routeSheet(sheetTemplate()));
});
