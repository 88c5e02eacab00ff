import { access, constants, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { StartFailure } from '../process/failure.ts';

/** The path of the engine's binary: from DYNOXIDE_BIN, the optional npm package, or the PATH, in this order. */
export async function findEngineBinary(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment['DYNOXIDE_BIN'];
  if (named) {
    if (await isExecutable(named)) return resolve(named);
    throw new StartFailure(
      `DYNOXIDE_BIN is ${named}, which is not an executable file. Correct it, or unset it to use the embedded engine.`,
    );
  }
  const name = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  const searched = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [packageFolder(), ...searched]) {
    if (folder !== undefined && (await isExecutable(join(folder, name)))) return resolve(folder, name);
  }
  throw new StartFailure(`No DynamoDB engine found for ${process.platform}-${process.arch}: ${howToGetIt()}`);
}

/** The folder of the npm package with the binary for this platform; package.json contains the one for Linux on x64. */
function packageFolder(): string | undefined {
  const require = createRequire(import.meta.url);
  try {
    return dirname(require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`));
  } catch {
    return undefined;
  }
}

function howToGetIt(): string {
  const other = 'set DYNOXIDE_BIN to its binary, or set DYNAMODB_ENDPOINT to a running DynamoDB Local.';
  if (process.platform === 'linux' && process.arch === 'x64') {
    return `run \`npm ci\` with optional packages (without --omit=optional), ${other}`;
  }
  if (process.platform === 'win32') return `run this in WSL, or set DYNAMODB_ENDPOINT to a running DynamoDB Local.`;
  return `run \`cargo install dynoxide-rs\`, or ${other}`;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
