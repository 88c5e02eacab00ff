import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleContainer } from '../../infra/assets/assets.ts';
import { BundleBucket } from '../../tests/support/bundle-bucket.ts';

let bucket: BundleBucket;
beforeEach(async () => {
  bucket = new BundleBucket();
  await bucket.listen();
});
afterEach(() => bucket.close());

/** Runs the command of the container, with the program in a file that it reads from the bucket. */
async function runCommand(load: string, more: Record<string, string>) {
  const env = { ...bucket.environment(), PATH: process.env['PATH'], ...more };
  const child = spawn(process.execPath, ['--input-type=module', '-e', load], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  while (child.exitCode === null && !output.includes('serving agents'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill();
  await ended;
  return output;
}

test('the command of the container runs the bundle from memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'container-'));
  try {
    await bundleContainer(folder);
    const [load, program] = await Promise.all(
      ['load', 'index'].map((name) => readFile(join(folder, 'agentGateway', `${name}.mjs`))),
    );
    // The definition of a task has room for it.
    expect(load!.length).toBeLessThan(8192);
    // CloudFormation would read it as a variable.
    expect(load!.toString()).not.toContain('${');
    bucket.file = program!;
    const ports = { HOST: '127.0.0.1', PORT: '0', HEALTH_PORT: '0' };
    const settings = { ...ports, API_URL: 'https://127.0.0.1:1', KEY_SECRET_ARN: 'arn' };
    expect(await runCommand(load!.toString(), settings)).toContain('serving agents');
    expect(await runCommand(load!.toString(), { ...settings, PORT: 'x' })).toContain('PORT must be a whole number');
    const wrong = { ...settings, BUNDLE_KEY: '' };
    expect(await runCommand(load!.toString(), wrong)).toContain('BUNDLE_KEY must be set');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
