/*
 * Reports the parts that an endpoint lacks: each line names a file and what to write there. `npm run generate`, `npm run check` and a
 * test report them.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { examples } from '../functions/openapi/examples.ts';
import { costs } from '../tests/costs/costs.ts';
import { isSimpleRead } from '../tests/support/is-simple-read.ts';

const TABLE = 'functions/api/endpoint-table.ts';

/** The files in the folder of an endpoint, and what each contains. */
const ownFiles: Readonly<Record<string, string>> = {
  'endpoint.ts': 'the contract, `export const endpoint = defineEndpoint({ ... })`',
  'handler.ts':
    '`export const { handler, handlerWith } = createEndpointFunction(endpoint, async (request, dependencies) => ...)`',
  'handler.test.ts': 'a test for each guarantee',
};

/** Files with a call of every endpoint that is no simple read. infra/data/table-access.test.ts reports its own. */
const calls: readonly {
  file: string;
  contains: (text: string, id: string) => boolean;
  write: (id: string) => string;
}[] = [
  {
    file: 'tests/costs/measured.ts',
    contains: (text, id) => text.includes(`'${id}'`),
    write: (id) => `\`await ask('${id}', <request>, { method, url, body })\`, with the request of its row in costs.ts`,
  },
  {
    file: 'tests/faults/calls.ts',
    contains: (text, id) => text.includes(`\n  ${id}: {`),
    write: (id) => `\`${id}: { <name>: async (inventory) => <a request and its effects> }\` in \`calls\``,
  },
  {
    file: 'tests/support/story.ts',
    contains: (text, id) => text.includes(`'${id}'`),
    write: (id) => `\`'${id}'\` in \`told\`, after the endpoints that add what its example names`,
  },
];

const contractModule = z.object({
  endpoint: z.object({
    id: z.string(),
    folder: z.string(),
    method: z.string(),
    path: z.string(),
    access: z.string(),
  }),
});

type Contract = z.output<typeof contractModule>['endpoint'];

/** `regions/list`, for each folder that has a file of an endpoint. */
async function foldersOf(root: URL): Promise<string[]> {
  const files = await readdir(new URL('functions/api/', root), { recursive: true });
  return files.flatMap((file) => /^([^/]+\/[^/]+)\/(?:endpoint|handler|handler\.test)\.ts$/.exec(file)?.[1] ?? []);
}

/** The lines of the table: the name of each endpoint by its folder. */
async function tableOf(root: URL): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL(TABLE, root), 'utf8');
  const lines = text.matchAll(/^export \{ endpoint as (\w+) \} from '\.\/(.+)\/endpoint\.ts';$/gm);
  return new Map([...lines].map(([, name = '', folder = '']) => [folder, name]));
}

function missingElsewhere(contract: Contract, texts: ReadonlyMap<string, string>): string[] {
  const { id, access } = contract;
  const example =
    `functions/openapi/examples/: write \`${id}: { <name>: { summary, params, body, reply } }\` in one of its files, ` +
    'without those of params, body and reply that it does not have';
  const row = `tests/costs/costs.ts: write a row of ${id} in \`rows\`: \`npm run jest -- tests/costs/costs\` prints it`;
  const needed = isSimpleRead(contract)
    ? []
    : calls.filter(({ file }) => access !== 'none' || file !== 'tests/faults/calls.ts');
  return [
    ...(Object.hasOwn(examples, id) ? [] : [example]),
    ...(costs.some((cost) => cost.function === id) ? [] : [row]),
    ...needed
      .filter(({ file, contains }) => !contains(texts.get(file) ?? '', id))
      .map(({ file, write }) => `${file}: write ${write(id)}`),
  ];
}

/**
 * One line for each part that is absent.
 *
 * @param root the checkout; its examples and costs are those of this one.
 */
export async function missingParts(root = new URL('../', import.meta.url)): Promise<string[]> {
  const table = await tableOf(root);
  const texts = new Map<string, string>();
  for (const { file } of calls) texts.set(file, await readFile(new URL(file, root), 'utf8'));
  const missing: string[] = [];
  for (const folder of [...new Set([...(await foldersOf(root)), ...table.keys()])].sort()) {
    const path = `functions/api/${folder}`;
    for (const [name, contents] of Object.entries(ownFiles))
      if (!existsSync(new URL(`${path}/${name}`, root))) missing.push(`${path}/${name}: write ${contents}`);
    const file = new URL(`${path}/endpoint.ts`, root);
    if (!existsSync(file)) continue;
    const { endpoint } = z.parse(contractModule, await import(file.href));
    if (endpoint.folder !== folder) missing.push(`${path}/endpoint.ts: write \`folder: '${folder}'\``);
    if (table.get(folder) !== endpoint.id)
      missing.push(`${TABLE}: write \`export { endpoint as ${endpoint.id} } from './${folder}/endpoint.ts';\``);
    missing.push(...missingElsewhere(endpoint, texts));
  }
  return missing;
}

/** Prints the parts that are absent. Resolves to whether none is. */
export async function reportMissingParts(): Promise<boolean> {
  const missing = await missingParts();
  for (const line of missing) process.stderr.write(`${line}\n`);
  return missing.length === 0;
}

if (import.meta.main && !(await reportMissingParts())) process.exitCode = 1;
