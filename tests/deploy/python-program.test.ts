import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPythonProgram, Unavailable } from './python-program.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'no-ministack-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Installs it on a machine with nothing but these programs. */
async function failureWith(programs: Record<string, string>): Promise<unknown> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const wanted = { package: 'ministack', version: '1.2.3', program: 'ministack' };
  return installPythonProgram(wanted, join(folder, 'cache'), { PATH: bin }).catch((error: unknown) => error);
}

test('without Python, the failure is one line that names what to install', async () => {
  const failure = await failureWith({});
  expect(failure).toBeInstanceOf(Unavailable);
  expect((failure as Error).message).toMatch(/^ministack needs Python 3\.10 or newer with venv: install python3.*$/);
});

test('when pip fails, the failure is one line with its reason', async () => {
  const pip = String.raw`printf '#!/bin/sh\necho no index here >&2\nexit 1\n'`;
  const failure = await failureWith({
    python3: `/bin/mkdir -p "$3/bin"; ${pip} > "$3/bin/pip"; /bin/chmod +x "$3/bin/pip"`,
  });
  expect(failure).toBeInstanceOf(Unavailable);
  expect((failure as Error).message).toMatch(/^pip cannot install ministack 1\.2\.3: .*no index here.*$/);
});
