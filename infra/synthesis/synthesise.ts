import { App, type Stack } from 'aws-cdk-lib';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { endpoints } from '../../functions/api/endpoints.ts';
import { facades } from '../../functions/facades.ts';
import type { Assets } from '../assets/stored-assets.ts';
import { InventoryStack } from '../inventory-stack.ts';
import type { InventorySettings } from '../settings/settings.ts';

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  Metadata: z.optional(z.looseObject({ 'aws:cdk:path': z.optional(z.string()) })),
  DeletionPolicy: z.optional(z.string()),
  DependsOn: z.optional(z.array(z.string())),
});

const templateSchema = z.object({
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
});

export type Template = z.output<typeof templateSchema>;

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** Path of the construct below `MonitoringInventory/Inventory/`: `Functions/addNode/Role/Resource`. */
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deletionPolicy: string | undefined;
  readonly dependsOn: readonly string[];
}

const cdkJsonSchema = z.object({ context: z.record(z.string(), z.unknown()) });

/**
 * The context that the CDK CLI sets for the real app: its flags, and construct paths in the template. Assets are not copied
 * into the output.
 */
function contextOf(cdkJson: URL): Record<string, unknown> {
  const { context } = z.parse(cdkJsonSchema, JSON.parse(readFileSync(cdkJson, 'utf8')));
  return { ...context, 'aws:cdk:enable-path-metadata': true, 'aws:cdk:disable-asset-staging': true };
}

const functionIds = [
  ...[...endpoints, ...facades].map(({ id }) => id),
  'authorizer',
  'catchAll',
  'setUp',
  'objectsKey',
  'gatewayLogRole',
  'publishSite',
  'publishChanges',
  'scheduledCleanup',
  'stateEvents',
  'continueJobs',
  'probe',
  'inventoryResources',
  'followScaling',
];

function writeEmptyFunctions(folder: string): void {
  for (const id of functionIds) {
    mkdirSync(join(folder, id));
    writeFileSync(join(folder, id, 'index.mjs'), 'export const handler = () => undefined;\n');
  }
  mkdirSync(join(folder, 'agentGateway'));
  for (const name of ['index', 'load']) writeFileSync(join(folder, 'agentGateway', `${name}.mjs`), 'export {};\n');
}

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** Functions without code: other tests cover their contents. Their folder is kept: see `outputFolder`. */
function emptyAssets(): Assets {
  const digest = createHash('sha256').update(functionIds.join()).digest('hex');
  const functions = join(cache, `empty-functions-${digest}`);
  if (!existsSync(functions)) {
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(join(cache, 'empty-functions-'));
    writeEmptyFunctions(unfinished);
    try {
      renameSync(unfinished, functions);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      // Another process was faster.
      if (!existsSync(functions)) throw error;
    }
  }
  return { functions, build: { version: '1.2.3', commit: 'abc', time: '2026-01-01T00:00:00.000Z' } };
}

/**
 * The output of every app of this process, which exists during its synthesis only. The CDK computes the hash of a folder of
 * assets once for each folder of output, and that is a fifth of a synthesis.
 */
const outputFolder = join(tmpdir(), `synthesise-${randomUUID()}`);

/**
 * The templates of an app by the names of their stacks, for tests: without bundling, and without the CDK's own validation,
 * which takes 2 s. Of the output, only the templates are complete.
 *
 * @param build gets an app, and assets for the inventories in it.
 */
export function synthesiseApp(build: (app: App, assets: Assets) => void): ReadonlyMap<string, Template> {
  process.env['CDK_VALIDATION'] = 'false';
  try {
    const app = new App({
      outdir: outputFolder,
      context: contextOf(new URL('../../cdk.json', import.meta.url)),
      stackTraces: false,
      treeMetadata: false,
    });
    build(app, emptyAssets());
    return new Map(
      app.synth().stacks.map(({ stackName, template }) => [stackName, z.parse(templateSchema, template)] as const),
    );
  } finally {
    rmSync(outputFolder, { recursive: true, force: true });
  }
}

/** The template of one stack of an app: see `synthesiseApp`. */
export function synthesiseStack(build: (app: App, assets: Assets) => Stack): Template {
  let name = '';
  const templates = synthesiseApp((app, assets) => {
    name = build(app, assets).stackName;
  });
  const template = templates.get(name);
  if (template === undefined) throw new Error(`no template of ${name}`);
  return template;
}

function synthesiseInventory(settings: InventorySettings, change?: (app: App) => void): Template {
  return synthesiseStack((app, assets) => {
    const stack = new InventoryStack(app, 'MonitoringInventory', { inventory: { ...settings, assets } });
    change?.(app);
    return stack;
  });
}

/** Of this process, by their settings. Tests of several files ask for the same ones, and each takes a third of a second. */
const synthesised = new Map<string, Template>();

/** A change for `synthesise`: the key that the objects of an app have, without any objects. */
export function withObjectsKey(app: App): void {
  for (const stack of app.node.children) if (stack instanceof InventoryStack) stack.inventory.objectsKey();
}

/**
 * The template of the stack of this repository, for tests. Each call returns a copy of its own.
 *
 * @param change called before the synthesis, which is then always a new one.
 */
export function synthesise(settings: InventorySettings = {}, change?: (app: App) => void): Template {
  if (change !== undefined) return synthesiseInventory(settings, change);
  const key = JSON.stringify(settings);
  const template = synthesised.get(key) ?? synthesiseInventory(settings);
  synthesised.set(key, template);
  return structuredClone(template);
}

export function resourcesOf(template: Template, type?: string): Resource[] {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => type === undefined || Type === type)
    .map(([id, { Type, Properties, Metadata, DeletionPolicy, DependsOn }]) => ({
      id,
      type: Type,
      path: (Metadata?.['aws:cdk:path'] ?? '').replace('MonitoringInventory/Inventory/', ''),
      properties: Properties,
      deletionPolicy: DeletionPolicy,
      dependsOn: DependsOn ?? [],
    }));
}

/** The only resource of a construct. */
export function resourceAt(template: Template, path: string): Resource {
  const matching = resourcesOf(template).filter((resource) => resource.path === path);
  const [first] = matching;
  if (first === undefined || matching.length > 1) throw new Error(`${matching.length} resources at ${path}`);
  return first;
}

const oneOrMore = <T extends z.core.$ZodType>(schema: T) =>
  z.pipe(
    z.transform((value): unknown => (Array.isArray(value) ? value : [value])),
    z.array(schema),
  );

const statementSchema = z.object({
  Effect: z.string(),
  Action: oneOrMore(z.string()),
  Resource: oneOrMore(z.unknown()),
  Principal: z.optional(z.unknown()),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
});

export type Statement = z.output<typeof statementSchema>;

const documentSchema = z.object({ Statement: z.array(statementSchema) });

/** The statements of all policies in a resource, at any depth. */
export function statementsIn(value: unknown): Statement[] {
  if (Array.isArray(value)) return value.flatMap(statementsIn);
  if (typeof value !== 'object' || value === null) return [];
  const document = z.safeParse(documentSchema, value);
  return document.success ? document.data.Statement : Object.values(value).flatMap(statementsIn);
}

const roleSchema = z.object({ Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }) });

/** The role of a function, which others may share. */
export function roleOf(template: Template, functionPath: string): Resource {
  const { properties } = resourceAt(template, `${functionPath}/Function/Resource`);
  const [id] = z.parse(roleSchema, properties).Role['Fn::GetAtt'];
  const [role] = resourcesOf(template).filter((resource) => resource.id === id);
  if (role === undefined) throw new Error(`${functionPath} has no role`);
  return role;
}

/** The permissions of a function, without logs and traces. */
export function grantsOf(template: Template, functionPath: string): Statement[] {
  return statementsIn(roleOf(template, functionPath).properties['Policies'])
    .map((statement) => ({ ...statement, Action: statement.Action.filter((action) => !/^(logs|xray):/.test(action)) }))
    .filter(({ Action }) => Action.length > 0);
}
