import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../deploy/processes.ts';
import { goEnvironment, goFor } from '../terraform/programs.ts';

const clients = fileURLToPath(new URL('clients', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/opamp', import.meta.url));

const BUILD_MS = 40 * 60_000;

/** The real programs, as packages of the module in `clients`, and where they are built. */
const packages = {
  collector: './collector',
  client: './client',
  supervisor: 'github.com/open-telemetry/opentelemetry-collector-contrib/cmd/opampsupervisor',
} as const;

export type Program = keyof typeof packages;

export const programPath = (program: Program): string => join(cache, program);

/** Builds all programs. The first time takes some minutes; Go itself notices that nothing has changed. */
async function buildPrograms(): Promise<void> {
  const go = await goFor(clients);
  await mkdir(cache, { recursive: true });
  for (const [program, name] of Object.entries(packages))
    await run([go, 'build', '-o', join(cache, program), name], {
      cwd: clients,
      env: goEnvironment,
      limitMilliseconds: BUILD_MS,
    });
}

// Before the tests.
if (import.meta.main) await buildPrograms();
