import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { https } from '../support/https.ts';
import { startServer } from '../support/server.ts';
import { fencedBlocks } from '../support/fenced-blocks.ts';

const PASSWORD = 'correct horse battery staple';

/** A server, and the examples of a document to run against it, as they stand there, with a key of this role in `KEY`. */
export async function openDocument(name: string, role: string) {
  const folder = await newDataDir();
  const server = await startServer(folder, { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { body } = await https(server.base, 'POST', '/v1/api-keys', {
    headers: { Authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` },
    body: { name: 'examples', role },
  });
  const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  return {
    folder,
    text,
    examples: fencedBlocks(text, 'sh').map((code) =>
      code.replace('https://localhost:8443', server.base).replaceAll('curl -k', 'curl -sSk --fail-with-body -w "\\n"'),
    ),
    /** @returns all that it wrote; fails when a command does. */
    async bash(script: string, cwd: string): Promise<string> {
      const env = { ...process.env, KEY: body.key };
      // With its input from another program, bash may take itself for a remote shell and read what people set up.
      const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (some: string) => (output += some));
      const [code] = (await once(child, 'close')) as [number];
      expect([code, output]).toEqual([0, output]);
      return output;
    },
    async close(): Promise<void> {
      await server.stop();
      await removeDataDir(folder);
    },
  };
}
