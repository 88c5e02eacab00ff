import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { buildInfo } from '../infra/assets/build-info.ts';

const manifestSchema = z.object({ license: z.string(), repository: z.optional(z.unknown()) });

/** The fields that the manifests of the npm packages share, from that of the project. */
export async function publishedFields() {
  const [text, { version }] = await Promise.all([
    readFile(new URL('../package.json', import.meta.url), 'utf8'),
    buildInfo(),
  ]);
  const { license, repository } = z.parse(manifestSchema, JSON.parse(text));
  return {
    ...{ version, license },
    ...(repository === undefined ? {} : { repository }),
    // npm refuses a statement of provenance for a package that names no repository.
    publishConfig: { access: 'public', ...(repository === undefined ? {} : { provenance: true }) },
  };
}
