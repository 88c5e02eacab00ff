import { listPreferences } from '../objects/list/list-preferences.tsx';

/** The rows of a page of these lists at the beginning of each test of the file. For the top of a file. */
export function setPageSize(rows: number, ...folders: string[]): void {
  const stores = folders.map(listPreferences);
  const former = stores.map((store) => store.get());
  beforeEach(() => {
    for (const store of stores) store.set({ ...store.get(), pageSize: rows });
  });
  afterAll(() => {
    for (const [index, store] of stores.entries()) store.set(former[index]!);
  });
}
