import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './processes.ts';

const ourCache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

const INSTALL_LIMIT_MS = 600_000;

/** The missing program, in one line for the user. */
export class Unavailable extends Error {
  constructor(message: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${message} (${reason.trim().split('\n').slice(-3).join(' ')})`, { cause });
    this.name = 'Unavailable';
  }
}

/** A program that comes as a Python package. */
export interface PythonProgram {
  package: string;
  version: string;
  /** Its name in the folder of programs. */
  program: string;
}

/**
 * The program in a virtual environment of our own, installed once for each version.
 *
 * @returns its path.
 * @throws Unavailable without Python, or when it cannot be installed.
 */
export async function installPythonProgram(
  { package: name, version, program }: PythonProgram,
  cache = ourCache,
  environment = process.env,
): Promise<string> {
  // Made in place, as the scripts of a virtual environment know where they are; the mark comes last.
  const folder = join(cache, name, version);
  const mark = join(folder, 'complete');
  const path = join(folder, 'bin', program);
  if (existsSync(mark)) return path;
  await rm(folder, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  const options = { cwd: cache, env: environment, limitMilliseconds: INSTALL_LIMIT_MS };
  try {
    await run(['python3', '-m', 'venv', folder], options);
  } catch (error) {
    throw new Unavailable(`${name} needs Python 3.10 or newer with venv: install python3 and python3-venv.`, error);
  }
  const pip = [join(folder, 'bin/pip'), 'install', '--quiet', '--no-input', '--disable-pip-version-check'];
  try {
    // Python compiles a module when it is first imported: most modules of these programs never are.
    await run([...pip, '--no-compile', `${name}==${version}`], options);
  } catch (error) {
    throw new Unavailable(`pip cannot install ${name} ${version}: is the package index reachable?`, error);
  }
  await writeFile(mark, version);
  return path;
}
