import { exportAll } from '../../../typescript/src/flows/transfer.ts';
import type { CommandCall } from '../command.ts';

export async function run({ output, connect, world }: CommandCall): Promise<undefined> {
  for await (const { lines } of exportAll(await connect(), { signal: world.signal }).pages())
    output.text(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  // A file without this line was cut off.
  output.line(JSON.stringify({ kind: 'end', complete: true }));
}
