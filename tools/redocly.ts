import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const cli = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** A comparison of two documents of 700 kB reports every change with both values. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Redocly's CLI with the rules of redocly.yaml, and without its telemetry, update check and announcements: a check that
 * calls somebody is not reproducible. https://redocly.com/docs/cli/usage-data
 */
export async function redocly(
  ...words: readonly string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [cli, ...words, '--config', 'redocly.yaml'],
      { cwd: root, env, maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        // A status is an answer; that it never ran, or was killed, is not.
        if (child.exitCode === null) reject(error ?? new Error('redocly has no exit status'));
        else resolve({ status: child.exitCode, stdout, stderr });
      },
    );
  });
}

if (import.meta.main) {
  const { status, stdout, stderr } = await redocly(...process.argv.slice(2));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status;
}
