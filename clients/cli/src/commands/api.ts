import { readText } from '../files/body-file.ts';
import type { CommandCall, OptionSpec } from '../command/command.ts';
import { CommandError } from '../core/exit-codes.ts';
import { formatsOfValues } from '../output/output.ts';
import { isFields, isList, parseJson } from '../core/values.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const formats = formatsOfValues;

export const options: readonly OptionSpec[] = [
  { flags: '-f, --file <file>', description: 'JSON file with the body; - is the standard input' },
  { flags: '--all', description: 'follow the pages of a list' },
];

async function bodyOf({ options: given, world }: CommandCall): Promise<object | undefined> {
  const file = given.text('file');
  if (file === undefined) return undefined;
  const body = parseJson(await readText(file, world), (message) => new CommandError(`${file} is not JSON: ${message}`));
  if (!isFields(body)) throw new CommandError(`${file} contains no JSON object.`);
  return body;
}

export async function run(call: CommandCall): Promise<undefined> {
  const {
    args: [word = '', path = ''],
    options: given,
    output,
    connect,
    world,
  } = call;
  const method = word.toUpperCase();
  if (!methods.includes(method)) throw new CommandError(`No such method: ${word}. There are: ${methods.join(', ')}.`);
  if (!path.startsWith('/') || /[{}#\s]/.test(path)) throw new CommandError(`Not a path such as /v1/nodes: ${path}`);
  const isAll = given.flag('all');
  if (isAll && method !== 'GET') throw new CommandError('--all is for GET.');
  const body = await bodyOf(call);
  if (body !== undefined && ['GET', 'DELETE'].includes(method)) throw new CommandError(`${method} takes no --file.`);
  const client = await connect();
  let token: string | undefined;
  const pages: unknown[] = [];
  do {
    const next = token === undefined ? '' : `${path.includes('?') ? '&' : '?'}page_token=${encodeURIComponent(token)}`;
    const bare = body === undefined ? ({ bare: true } as const) : {};
    const spec = { id: `${method} ${path}`, method, path: path + next, text: true as const, ...bare };
    const text = String(await client.send<unknown>(spec, body, { signal: world.signal }));
    let value: unknown = text;
    try {
      value = JSON.parse(text);
    } catch {
      // Metrics and exports are no JSON.
      output.text(text);
      return;
    }
    if (!isAll) {
      await output.value(value);
      return;
    }
    const { next_page_token: following, ...rest } = isFields(value) ? value : {};
    pages.push(...Object.values(rest).filter(isList).flat());
    token = typeof following === 'string' ? following : undefined;
  } while (token !== undefined);
  await output.value(pages);
}
