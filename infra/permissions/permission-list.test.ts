import { readFile } from 'node:fs/promises';
import { permissionList } from './permission-list.ts';
import { sheetTemplate } from '../synthesis/route-sheet.ts';

test('every function has exactly the listed rights: `npm run generate` writes the list, and its difference needs a review', async () => {
  expect(await readFile(new URL('permission-list.txt', import.meta.url), 'utf8')).toBe(permissionList(sheetTemplate()));
});
