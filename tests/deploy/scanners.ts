import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { ResolvedPolicies } from '../../infra/permissions/resolved-policies.ts';
import { resourcesOf, type Template } from '../../infra/synthesis/synthesise.ts';
import { pathOf } from './programs.ts';

/** Findings by the name of the template: `check type` or `check actions`, each once, in order. */
type Findings = Record<string, string[]>;

const MAX_OUTPUT_BYTES = 100_000_000;

/** The standard output of a scanner. Its exit code 1 means that it has findings. */
async function outputOf(program: string, args: readonly string[], folder: string): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
  } catch (error) {
    const ended = z.safeParse(z.object({ code: z.literal(1), stdout: z.string().check(z.minLength(1)) }), error);
    if (ended.success) return ended.data.stdout;
    throw error;
  }
}

function byTemplate(
  names: readonly string[],
  findings: readonly (readonly [template: string, finding: string])[],
): Findings {
  const of = (name: string) => findings.flatMap(([template, finding]) => (template === name ? [finding] : []));
  return Object.fromEntries(names.map((name) => [name, [...new Set(of(name))].sort()]));
}

const checkovSchema = z.object({
  results: z.object({
    failed_checks: z.array(z.object({ check_id: z.string(), file_path: z.string(), resource: z.string() })),
  }),
});

/** https://www.checkov.io: rules of AWS's and CIS's good practices, on the template. */
export async function checkov(templates: Readonly<Record<string, Template>>, folder: string): Promise<Findings> {
  const program = await pathOf('checkov');
  const names = Object.keys(templates);
  for (const name of names) await writeFile(join(folder, `${name}.json`), JSON.stringify(templates[name]));
  const files = names.map((name) => `${name}.json`);
  // Without the download of rules of its vendor, so that the same version finds the same.
  const options = ['--framework', 'cloudformation', '--skip-download', '--quiet', '--compact', '--output', 'json'];
  const output = await outputOf(program, [...options, '--file', ...files], folder);
  const { results } = z.parse(checkovSchema, JSON.parse(output));
  const findings = results.failed_checks.map(
    ({ check_id: check, file_path: path, resource }) =>
      [basename(path, '.json'), `${check} ${resource.split('.')[0] ?? resource}`] as const,
  );
  return byTemplate(names, findings);
}

const parliamentSchema = z.object({
  issue: z.string(),
  location: z.object({ actions: z.optional(z.array(z.string())), filepath: z.string() }),
});

/** https://github.com/duo-labs/parliament: errors and dangerous permissions in the policies of all roles. */
export async function parliament(templates: Readonly<Record<string, Template>>, folder: string): Promise<Findings> {
  const program = await pathOf('parliament');
  const names = Object.keys(templates);
  for (const [name, template] of Object.entries(templates)) {
    await mkdir(join(folder, name));
    const policies = new ResolvedPolicies(template);
    for (const role of resourcesOf(template, 'AWS::IAM::Role'))
      for (const { name: policyName, policy } of policies.of(role))
        await writeFile(join(folder, name, `${role.id}.${policyName}.json`), JSON.stringify(policy));
  }
  const output = await outputOf(program, ['--include-community-auditors', '--json', '--directory', '.'], folder);
  const findings = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.parse(parliamentSchema, JSON.parse(line)))
    .map(
      ({ issue, location: { actions = [], filepath } }) =>
        [filepath.split('/').at(-2) ?? '', [issue, ...actions].join(' ')] as const,
    );
  return byTemplate(names, findings);
}
