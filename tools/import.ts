import { readFile, writeFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { fromPmm, type Remark } from './from-pmm.ts';
import { importFile } from './import-lines.ts';
import { clientFrom, lineOf } from './inventory-client.ts';
import { pmmFrom, readPmm } from './read-pmm.ts';

const USAGE = `Usage: npm run import -- [--dry-run] [--refused FILE] FILE...
       npm run import -- --from-pmm [--skip-invalid] [--dry-run | --print] [FILE...]
Imports files of an export, or with --from-pmm the inventory of the PMM server that PMM_URL names (PMM 3 or 2), or else files with
its replies to GET /v1/inventory/nodes, /services and /agents, as JSON. "-" is the standard input. INVENTORY_URL and INVENTORY_KEY (of an Admin) select the server.
  --dry-run       report the results without any change
  --print         only print the lines to import
  --refused FILE  write the lines that are refused to this file, to correct and import them
  --skip-invalid  skip objects that cannot be imported`;

const out = (line: string) => process.stdout.write(`${line}\n`);
const err = (line: string) => process.stderr.write(`${line}\n`);

const read = (file: string) => (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8'));

/** Equal remarks about many objects as one. */
function tell(remarks: readonly Remark[]): void {
  const byText = new Map<string, string[]>();
  for (const { about, field, message } of remarks) {
    const said = field === '' ? message : `${field} ${message}`;
    byText.set(said, [...(byText.get(said) ?? []), about]);
  }
  for (const [said, abouts] of byText)
    err(`${abouts[0] ?? ''}${abouts.length > 1 ? ` and ${abouts.length - 1} more` : ''}: ${said}`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON.`, { cause: error });
  }
}

/** The replies of a PMM server, in files or as it gives them. */
async function repliesOf(files: readonly string[]): Promise<unknown[]> {
  if (files.length === 0) return readPmm(pmmFrom(process.env));
  const replies: unknown[] = [];
  for (const file of files) replies.push(parseJson(await read(file), file));
  return replies;
}

async function convertedLines(files: readonly string[], skipInvalid: boolean): Promise<string> {
  const replies = await repliesOf(files);
  const { lines, remarks, problems } = fromPmm(replies);
  tell(remarks);
  if (problems.length > 0) {
    err('Cannot be imported:');
    tell(problems);
    if (!skipInvalid)
      throw new Error('Nothing was imported. Correct the files, or skip these objects with --skip-invalid.');
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function main(): Promise<void> {
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'from-pmm': { type: 'boolean', default: false },
      'skip-invalid': { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
      refused: { type: 'string' },
    },
  });
  const isFromPmm = values['from-pmm'];
  if (files.length === 0 && !isFromPmm) throw new Error(USAGE);
  const texts: string[] = [];
  if (isFromPmm) texts.push(await convertedLines(files, values['skip-invalid']));
  else for (const file of files) texts.push(await read(file));
  const text = texts.map((one) => (one.endsWith('\n') || one === '' ? one : `${one}\n`)).join('');
  if (values.print) {
    process.stdout.write(text);
    return;
  }
  const dryRun = values['dry-run'];
  const { totals, failures } = await importFile(clientFrom(process.env), text, dryRun);
  for (const { line, kind, id, message } of failures)
    err(`${isFromPmm ? '' : `line ${line}: `}${kind} ${id}: ${message}`);
  if (values.refused !== undefined)
    await writeFile(values.refused, failures.map(({ text: line }) => `${line}\n`).join(''));
  const { added, changed, unchanged, refused } = totals;
  out(`${dryRun ? 'Would be: ' : ''}${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused.`);
  if (refused > 0) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  err(lineOf(error));
  process.exitCode = 1;
}
