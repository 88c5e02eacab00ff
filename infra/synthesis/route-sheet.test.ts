import { readFile } from 'node:fs/promises';
import { routeSheet, sheetSettings } from './route-sheet.ts';
import { synthesise } from './synthesise.ts';

test('the route sheet states what is deployed: `npm run generate` writes it', async () => {
  expect(await readFile(new URL('route-sheet.txt', import.meta.url), 'utf8')).toBe(
    routeSheet(synthesise(sheetSettings)),
  );
});
