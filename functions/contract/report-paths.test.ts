import { endpoints } from '../api/endpoints.ts';
import { facades } from '../facades.ts';
import { reportPaths } from './report-paths.ts';

test('report paths are those of all contracts with frequent requests', () => {
  const paths = [
    ...endpoints.filter(({ frequent }) => frequent === true).map(({ path }) => path),
    ...facades.filter(({ frequent }) => frequent === true).flatMap((facade) => facade.paths),
  ];
  expect(paths.sort()).toEqual([...reportPaths].sort());
});
