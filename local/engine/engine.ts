import { resolve } from 'node:path';
import type { Engine } from './engine-type.ts';
import { engineAt } from './external-engine.ts';

export interface EngineOptions {
  /** Folder of the database file, created with mode 0700 if missing; undefined: the data is in memory. */
  readonly dataDir?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * The engine of this process, or the external one at DYNAMODB_ENDPOINT, ready for use.
 *
 * @throws StartFailure when the external one does not answer, or the data folder is in use or cannot be used
 */
export async function startEngine({ dataDir, environment }: EngineOptions): Promise<Engine> {
  if (environment['DYNAMODB_ENDPOINT']) return engineAt(environment['DYNAMODB_ENDPOINT']);
  // Loaded where it is used: the tests on another engine run without SQLite (tests/dynamodb-local/run.ts).
  const { openEmbedded } = await import('./embedded-engine.ts');
  return openEmbedded(dataDir === undefined ? undefined : resolve(dataDir));
}
