import { readFile } from 'node:fs/promises';
import { permissionList } from './permission-list.ts';
import { sheetTemplate } from '../synthesis/route-sheet.ts';

test('every function has exactly the rights of the list: `npm run generate` writes it, and a review of its difference is needed', async () => {
  expect(await readFile(new URL('permission-list.txt', import.meta.url), 'utf8')).toBe(permissionList(sheetTemplate()));
});
