import { request } from 'node:https';

/*
 * Asks the server of this machine whether it is ready, for the health check of a container or a service: exit code 0, or 1 with
 * the reason.
 */

const LIMIT_MS = 4000;

/** Resolves to the status and the body. Only this machine is asked, so that its certificate needs no authority. */
function ask(port: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/v1/readyz', rejectUnauthorized: false, timeout: LIMIT_MS },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part: string) => (text += part));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no reply within ${LIMIT_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end();
  });
}

try {
  const { status, text } = await ask(process.env['PORT'] || '8443');
  if (status !== 200) throw new Error(`${status} ${text}`);
} catch (error) {
  process.stderr.write(`Not ready: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
