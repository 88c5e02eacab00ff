import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { synthesise, type Template } from '../../infra/synthesise.ts';
import { fitEmulator } from './fit-emulator.ts';

/** The template of the last release, as it is deployed to the emulator. `npm run record-release` writes it. */
const file = new URL('last-release.json.gz', import.meta.url);

type Resources = Template['Resources'];

/** Applies a change to the code of each function: `change('addNode')`. */
function withCode(
  resources: Resources,
  change: (properties: Record<string, unknown>, path: string) => unknown,
): Resources {
  const changed = Object.entries(resources).map(([id, { Metadata, ...resource }]) => {
    const { Type, Properties } = resource;
    const isFunction = Type === 'AWS::Lambda::Function';
    const Code = isFunction ? change(Properties, Metadata?.['aws:cdk:path'] ?? '') : undefined;
    return [id, isFunction ? { ...resource, Properties: { ...Properties, Code } } : resource] as const;
  });
  return Object.fromEntries(changed);
}

/** Stores the template of the present state, with the names of bundles in place of code. */
export async function recordTemplate(): Promise<void> {
  const { Resources, Outputs } = synthesise({}, fitEmulator);
  const named = withCode(Resources, (_, path) => /([^/]+)\/Function\/Resource$/.exec(path)?.[1]);
  const text = JSON.stringify({ Resources: named, Outputs });
  await writeFile(file, await promisify(gzip)(text, { level: 9 }));
}

/** The stored template, whose functions have the bundles of a folder: the code of the present state. */
export async function releasedTemplate(bundles: string): Promise<string> {
  const { Resources, ...rest } = JSON.parse(String(await promisify(gunzip)(await readFile(file)))) as Template;
  return JSON.stringify({ ...rest, Resources: withCode(Resources, ({ Code }) => join(bundles, String(Code))) });
}
