import { testSources } from '../support/test-sources.ts';

/** Starts the engine, and thereby says that a test depends on one. */
const ENGINE = 'local/engine/engine.ts';

/**
 * The tests of a folder that use an engine, in order. A test that imports no start of an engine, directly or through a helper,
 * has the same result with any engine.
 *
 * @param folder from the root, with a slash at its end.
 */
export async function engineSuites(folder: string): Promise<string[]> {
  const sources = await testSources();
  const seen = new Map<string, boolean>();
  const reachesEngine = (path: string): boolean => {
    const reached = seen.get(path);
    if (reached !== undefined) return reached;
    seen.set(path, false);
    const reaches = path === ENGINE || (sources.get(path)?.imports ?? []).some(reachesEngine);
    seen.set(path, reaches);
    return reaches;
  };
  return [...sources.keys()]
    .filter((path) => path.startsWith(folder) && path.endsWith('.test.ts') && !path.endsWith('.long.test.ts'))
    .filter(reachesEngine)
    .sort();
}
