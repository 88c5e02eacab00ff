import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { inventoryDocument } from '../functions/openapi/document.ts';
import { serialise } from '../shared/openapi/serialise.ts';
import { withNamedDefaults } from '../shared/openapi/named-defaults.ts';
import type { OpenApiDocument } from '../shared/openapi/specification.ts';
import { apiDocument } from './api-document.ts';
import { pmmCallsDocument, pmmDocument } from './pmm-document.ts';
import { scaleDocument } from './scale-document.ts';
import { reportMissingParts } from './endpoint-parts.ts';
import { commandLineContract } from './cli-contract.ts';
import { commandLineDocument } from './cli-document.ts';
import { providerKinds, terraformProvider } from './terraform-provider.ts';
import { terraformRules } from './terraform-rules.ts';
import { ansibleContract } from './ansible-contract.ts';
import { typeScriptClient } from './typescript-client/generate.ts';

const root = new URL('../', import.meta.url);

const packageSchema = z.object({ version: z.string() });

/** The document at the version of package.json. */
export async function currentDocument(): Promise<OpenApiDocument> {
  const { version } = z.parse(packageSchema, JSON.parse(await readFile(new URL('package.json', root), 'utf8')));
  return inventoryDocument(version);
}

/** Every generated file: its text by its path in the checkout. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const document = await currentDocument();
  return new Map([
    ['swagger-static/swagger/openapi.json', serialise(withNamedDefaults(document))],
    ['docs/api.md', apiDocument()],
    ['docs/scale.md', scaleDocument()],
    ['docs/pmm.md', pmmDocument()],
    ['docs/pmm-calls.md', pmmCallsDocument()],
    ...typeScriptClient(document),
    ...commandLineContract(document),
    ...terraformProvider(document),
    ...terraformRules(providerKinds(document)),
    ['docs/cli.md', commandLineDocument()],
    ...ansibleContract(document),
  ]);
}

/** Every generated file of the deployment, from the template as it is synthesised. */
async function deploymentFiles(): Promise<ReadonlyMap<string, string>> {
  // The CDK takes seconds to load, and tests of the documents need none of it.
  const [{ routeSheet, sheetTemplate }, { permissionList }, { deploymentPolicies }] = await Promise.all([
    import('../infra/synthesis/route-sheet.ts'),
    import('../infra/permissions/permission-list.ts'),
    import('../infra/permissions/execution-policy.ts'),
  ]);
  const template = sheetTemplate();
  return new Map([
    ['infra/synthesis/route-sheet.txt', routeSheet(template)],
    ['infra/permissions/permission-list.txt', permissionList(template)],
    ...deploymentPolicies(),
  ]);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(path, root), 'utf8');
  } catch {
    return undefined; // not generated yet
  }
}

async function run(check: boolean): Promise<void> {
  for (const [path, text] of [...(await generatedFiles()), ...(await deploymentFiles())]) {
    if ((await textOf(path)) === text) continue;
    if (check) {
      process.stderr.write(`${path} differs from its source. Run node tools/generate.ts\n`);
      process.exitCode = 1;
    } else {
      await writeFile(new URL(path, root), text);
      process.stdout.write(`${path}\n`);
    }
  }
}

if (import.meta.main) {
  await run(process.argv.includes('--check'));
  if (!(await reportMissingParts())) process.exitCode = 1;
}
