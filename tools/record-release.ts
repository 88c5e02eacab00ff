import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { serialise } from '../shared/openapi/serialise.ts';
import { recordDeployment } from '../tests/deploy/last-release.ts';
import { breakingChanges, type ReleasedDocument, releasedSchema } from './breaking-changes.ts';
import { currentDocument } from './generate.ts';

const file = new URL('../docs/released-openapi.json', import.meta.url);

/** The document of the last release: what clients were promised. */
export async function releasedDocument(): Promise<ReleasedDocument> {
  return z.parse(releasedSchema, JSON.parse(await readFile(file, 'utf8')));
}

/** Why the present document may not take the place of the released one: once it has, nobody sees what it broke. */
async function obstacles(): Promise<string[]> {
  if (!existsSync(file)) return [];
  const [released, current] = await Promise.all([releasedDocument(), currentDocument()]);
  const { version } = current.info;
  if (released.info.version === version) return [`${version} is recorded already. Raise the version in package.json`];
  return breakingChanges(released, current);
}

if (import.meta.main) {
  const obstaclesLeft = await obstacles();
  if (obstaclesLeft.length === 0) {
    await writeFile(file, serialise(await currentDocument()));
    await recordDeployment();
  }
  process.stderr.write(obstaclesLeft.map((obstacle) => `${obstacle}\n`).join(''));
  process.exitCode = obstaclesLeft.length === 0 ? 0 : 1;
}
