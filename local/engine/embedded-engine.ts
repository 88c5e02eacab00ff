import { tableOf } from '../../shared/db/table.ts';
import { LayeredClient } from '../../shared/db/client.ts';
import { StartFailure } from '../process/failure.ts';
import { takeDataFolder, type TakenFolder } from './data-folder.ts';
import type { Engine } from './engine-type.ts';
import { type LeftOut, OLD_DATABASE_SUFFIX } from './format-1/convert.ts';
import { SqliteEngine } from './sqlite/engine.ts';

async function start(folder: TakenFolder | undefined): Promise<SqliteEngine> {
  try {
    return new SqliteEngine(folder?.databaseFile);
  } catch (error) {
    await folder?.release();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database ${folder?.databaseFile ?? 'in memory'} cannot be opened: ${reason}.`, {
      cause: error,
    });
  }
}

/** The line about a conversion. A person reads it after an upgrade: only items with another seal are a reason to look. */
export function conversionLine(file: string, { sessions, others }: LeftOut): string {
  const sentences = [
    `The database ${file} was converted.`,
    `The old one is ${file}${OLD_DATABASE_SUFFIX}.`,
    ...(sessions === 0 ? [] : [`The sessions of the earlier version (${sessions}) have ended: log in again.`]),
    ...(others === 0 ? [] : [`${others} items that grant access, and that this service did not write, were left out.`]),
  ];
  return `${sentences.join(' ')}\n`;
}

/**
 * The engine in this process.
 *
 * @param dataDir absolute path; undefined: the data is in memory.
 * @throws StartFailure when the data folder is in use or cannot be used
 */
export async function openEmbedded(dataDir: string | undefined): Promise<Engine> {
  const folder = dataDir === undefined ? undefined : await takeDataFolder(dataDir);
  const engine = await start(folder);
  if (folder?.leftOut !== undefined) process.stderr.write(conversionLine(folder.databaseFile, folder.leftOut));
  let stopped: Promise<void> | undefined;
  return {
    embedded: engine,
    open: (name) =>
      tableOf(
        name,
        ({ beforeAttempt, errorFor }) =>
          new LayeredClient(async (call) => {
            beforeAttempt?.();
            return engine.call(call);
          }, errorFor),
      ),
    stop: () => (stopped ??= engine.close().then(() => folder?.release())),
  };
}
