import { readFile } from 'node:fs/promises';
import { permissionList } from './permission-list.ts';
import { sheetSettings } from '../synthesis/route-sheet.ts';
import { synthesise } from '../synthesis/synthesise.ts';

test('every function has exactly the rights of the list: `npm run generate` writes it, and a review of its difference is needed', async () => {
  expect(await readFile(new URL('permission-list.txt', import.meta.url), 'utf8')).toBe(
    permissionList(synthesise(sheetSettings)),
  );
});
