import { readFile, writeFile } from 'node:fs/promises';
import { routeSheet } from './route-sheet.ts';
import { synthesise } from './synthesise.ts';

const file = new URL('route-sheet.txt', import.meta.url);

test('the route sheet is what is deployed (to write it anew: UPDATE_ROUTE_SHEET=1 npm run jest -- infra/route-sheet)', async () => {
  const sheet = routeSheet(synthesise());
  if (process.env['UPDATE_ROUTE_SHEET'] === '1') await writeFile(file, sheet);
  expect(await readFile(file, 'utf8')).toBe(sheet);
});
