import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { STACK_RESOURCE_LIMIT_CONTEXT } from 'aws-cdk-lib';
import { CONTEXT_ENV } from 'aws-cdk-lib/cx-api';
import { synthesise, type Template } from '../../infra/synthesis/synthesise.ts';
import { fitEmulator } from './fit-emulator.ts';
import { recordBundles } from './release-bundles.ts';

/** The template of the last release, as it is deployed to the emulator. `npm run release` writes it. */
const file = new URL('last-release.json.gz', import.meta.url);

type Resources = Template['Resources'];

/** Changes properties of each function. */
function withCode(
  resources: Resources,
  change: (properties: Record<string, unknown>, path: string) => Record<string, unknown>,
): Resources {
  const changed = Object.entries(resources).map(([id, { Metadata, ...resource }]) => {
    const { Type, Properties } = resource;
    const isFunction = Type === 'AWS::Lambda::Function';
    const ownProperties = isFunction ? change(Properties, Metadata?.['aws:cdk:path'] ?? '') : {};
    return [id, { ...resource, Properties: { ...Properties, ...ownProperties } }] as const;
  });
  return Object.fromEntries(changed);
}

/** Stores the present state: the template, with the names of bundles in place of code, and the bundles. */
export async function recordDeployment(): Promise<void> {
  await recordBundles();
  // As in app.ts: a gateway of resources has more than CloudFormation permits in a stack.
  process.env[CONTEXT_ENV] = JSON.stringify({ [STACK_RESOURCE_LIMIT_CONTEXT]: 1000 });
  const { Resources, Outputs } = synthesise({}, fitEmulator);
  const named = withCode(Resources, (_, path) => ({ Code: /([^/]+)\/Function\/Resource$/.exec(path)?.[1] }));
  const text = JSON.stringify({ Resources: named, Outputs });
  await writeFile(file, await promisify(gzip)(text, { level: 9 }));
}

/** The stored template with the functions of the last release, which share the folder of the unpacked bundles. */
export async function releasedTemplate(bundles: string): Promise<string> {
  const { Resources, ...rest } = JSON.parse(String(await promisify(gunzip)(await readFile(file)))) as Template;
  const released = withCode(Resources, ({ Code }) => ({ Code: bundles, Handler: `${String(Code)}/index.handler` }));
  return JSON.stringify({ ...rest, Resources: released });
}

/** The format of the table that the last release writes; 1 before deployments had a step that checks it. */
export async function releasedFormat(): Promise<number> {
  const { Resources } = JSON.parse(String(await promisify(gunzip)(await readFile(file)))) as Template;
  const steps = Object.values(Resources).filter(({ Type }) => Type === 'Custom::TableFormat');
  return Number(steps[0]?.Properties['Format'] ?? 1);
}
