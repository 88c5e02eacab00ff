import { readFile, writeFile } from 'node:fs/promises';
import { permissionList } from './permission-list.ts';
import { synthesise } from './synthesise.ts';

const file = new URL('permission-list.txt', import.meta.url);

test('every function has exactly the rights of the list (to write it anew: UPDATE_PERMISSION_LIST=1 npm run jest -- infra/permission-list)', async () => {
  const list = permissionList(synthesise());
  if (process.env['UPDATE_PERMISSION_LIST'] === '1') await writeFile(file, list);
  expect(await readFile(file, 'utf8')).toBe(list);
});
